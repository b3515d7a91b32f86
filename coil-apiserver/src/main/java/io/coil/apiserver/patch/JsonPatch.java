package io.coil.apiserver.patch;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiErrors;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** JSON Patch (RFC 6902): all of its operations or none. */
public final class JsonPatch {
    private static final int MOST_OPERATIONS = 10_000;

    private enum Verb {
        ADD,
        REMOVE,
        REPLACE,
        MOVE,
        COPY,
        TEST
    }

    private record Step(
            Verb verb, JsonPointer path, @Nullable JsonPointer from, @Nullable JsonNode value) {}

    private final List<Step> steps;

    private JsonPatch(List<Step> steps) {
        this.steps = steps;
    }

    /**
     * @throws ApiStatusException 400 when it is no JSON Patch
     */
    public static JsonPatch parse(JsonNode document) {
        if (!document.isArray() || document.size() > MOST_OPERATIONS) {
            throw ApiErrors.badRequest(
                    "a JSON patch must be an array of at most %d operations"
                            .formatted(MOST_OPERATIONS));
        }
        List<Step> steps = new ArrayList<>(document.size());
        for (JsonNode operation : document) {
            steps.add(step(operation));
        }
        return new JsonPatch(steps);
    }

    /**
     * @param target is not changed
     * @throws ApiStatusException 422 when a path does not exist or a test fails
     */
    public JsonNode apply(JsonNode target) {
        JsonNode document = target.deepCopy();
        for (Step step : steps) {
            document = apply(document, step);
        }
        return document;
    }

    private static Step step(JsonNode operation) {
        Verb verb =
                switch (operation.path("op").asString("")) {
                    case "add" -> Verb.ADD;
                    case "remove" -> Verb.REMOVE;
                    case "replace" -> Verb.REPLACE;
                    case "move" -> Verb.MOVE;
                    case "copy" -> Verb.COPY;
                    case "test" -> Verb.TEST;
                    default ->
                            throw ApiErrors.badRequest("unexpected JSON patch kind: " + operation);
                };
        boolean moves = verb == Verb.MOVE || verb == Verb.COPY;
        JsonNode value = operation.get("value");
        if (value == null && (verb == Verb.ADD || verb == Verb.REPLACE || verb == Verb.TEST)) {
            throw ApiErrors.badRequest("a JSON patch operation lacks its value: " + operation);
        }
        return new Step(
                verb, pointer(operation, "path"), moves ? pointer(operation, "from") : null, value);
    }

    private static JsonPointer pointer(JsonNode operation, String field) {
        @Nullable String text = Json.text(operation, field);
        try {
            if (text != null) {
                return JsonPointer.compile(text);
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw ApiErrors.badRequest(
                "a JSON patch operation lacks a valid %s: %s".formatted(field, operation));
    }

    private static JsonNode apply(JsonNode document, Step step) {
        return switch (step.verb()) {
            case ADD -> add(document, step.path(), value(step));
            case REMOVE -> remove(document, step.path());
            case REPLACE -> {
                existing(document, step.path());
                yield step.path().matches()
                        ? value(step)
                        : add(remove(document, step.path()), step.path(), value(step));
            }
            case COPY -> add(document, step.path(), existing(document, from(step)).deepCopy());
            case MOVE -> {
                JsonNode moved = existing(document, from(step));
                if (step.path().equals(from(step))) {
                    yield document;
                }
                if (step.path().toString().startsWith(from(step) + "/")) {
                    throw rejected("cannot move " + from(step) + " into itself");
                }
                yield add(remove(document, from(step)), step.path(), moved);
            }
            case TEST -> {
                if (!Json.same(existing(document, step.path()), value(step))) {
                    throw rejected("testing value " + step.path() + " failed");
                }
                yield document;
            }
        };
    }

    private static JsonNode add(JsonNode document, JsonPointer path, JsonNode value) {
        if (path.matches()) {
            return value;
        }
        String last = path.last().getMatchingProperty();
        switch (existing(document, path.head())) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> {
                int index = last.equals("-") ? array.size() : index(path, array.size());
                array.insert(index, value);
            }
            default -> throw rejected("nothing can be added at " + path);
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, JsonPointer path) {
        existing(document, path);
        if (path.matches()) {
            throw rejected("the whole document cannot be removed");
        }
        switch (existing(document, path.head())) {
            case ObjectNode object -> object.remove(path.last().getMatchingProperty());
            case ArrayNode array -> array.remove(index(path, array.size() - 1));
            default -> throw rejected("nothing can be removed at " + path);
        }
        return document;
    }

    private static int index(JsonPointer path, int highest) {
        String text = path.last().getMatchingProperty();
        boolean number = text.matches("0|[1-9][0-9]{0,8}");
        if (!number || Integer.parseInt(text) > highest) {
            throw rejected("there is no index " + text + " at " + path);
        }
        return Integer.parseInt(text);
    }

    private static JsonNode existing(JsonNode document, JsonPointer path) {
        JsonNode found = document.at(path);
        if (found.isMissingNode()) {
            throw rejected("there is nothing at " + path);
        }
        return found;
    }

    private static JsonNode value(Step step) {
        if (step.value() == null) {
            throw new IllegalStateException("checked when it was parsed");
        }
        return step.value().deepCopy();
    }

    private static JsonPointer from(Step step) {
        if (step.from() == null) {
            throw new IllegalStateException("checked when it was parsed");
        }
        return step.from();
    }

    private static ApiStatusException rejected(String why) {
        return new ApiStatusException(
                422,
                "Invalid",
                "the server rejected our request due to an error in our request: " + why);
    }
}
