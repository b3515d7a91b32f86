package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.patch.JsonPatch;
import io.coil.apiserver.patch.MergePatch;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The subresource {@code /scale}: how many replicas are wanted, as an autoscaling/v1 Scale. */
final class ScaleVerbs {
    private final Operations operations;

    ScaleVerbs(Backend backend) {
        this.operations = backend.operations();
    }

    ApiResponse serve(ApiRequest request, ResourceType type, Target target, String verb) {
        String name = ObjectVerbs.name(target);
        return switch (verb) {
            case "get" ->
                    ApiResponse.json(200, scale(operations.get(type, target.namespace(), name)));
            case "update" -> {
                ObjectNode wanted = JsonText.object(request);
                yield write(request, type, target, current -> wanted);
            }
            case "patch" -> write(request, type, target, patch(request));
            default -> throw Statuses.methodNotAllowed();
        };
    }

    private ApiResponse write(
            ApiRequest request,
            ResourceType type,
            Target target,
            UnaryOperator<ObjectNode> changeOfScale) {
        List<String> warnings = new ArrayList<>();
        ObjectNode changed =
                operations.patch(
                        type,
                        target.namespace(),
                        ObjectVerbs.name(target),
                        Part.SCALE,
                        object -> scaled(object, changeOfScale.apply(scale(object))),
                        Queries.write(request, warnings));
        return ApiResponse.json(200, scale(changed));
    }

    private static UnaryOperator<ObjectNode> patch(ApiRequest request) {
        JsonNode patch = JsonText.read(request.body(), false);
        return switch (request.contentType()) {
            case "application/json-patch+json" -> {
                JsonPatch steps = JsonPatch.parse(patch);
                yield scale -> Patches.stillObject(steps.apply(scale));
            }
            case "application/merge-patch+json", "application/strategic-merge-patch+json" ->
                    scale -> Patches.stillObject(MergePatch.apply(scale, patch));
            default ->
                    throw new ApiStatusException(
                            415,
                            "UnsupportedMediaType",
                            "a scale is patched with application/merge-patch+json or"
                                    + " application/json-patch+json");
        };
    }

    /** The object with the replicas of the scale; a version in the scale must be the current. */
    private static ObjectNode scaled(ObjectNode object, ObjectNode scale) {
        JsonNode replicas = scale.path("spec").path("replicas");
        if (!replicas.isMissingNode() && (!replicas.isInt() || replicas.asInt() < 0)) {
            throw new ApiStatusException(
                    422,
                    "Invalid",
                    "Scale.autoscaling \"%s\" is invalid: spec.replicas: must be 0 or more"
                            .formatted(object.path("metadata").path("name").asString("")));
        }
        Json.child(object, "spec").put("replicas", replicas.asInt(0));
        ObjectNode metadata = Json.metadata(object);
        String version = Json.text(scale, "metadata", "resourceVersion");
        if (version != null && !version.isEmpty()) {
            metadata.put("resourceVersion", version);
        }
        return object;
    }

    private static ObjectNode scale(ObjectNode object) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field :
                List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").path(field);
            if (!value.isMissingNode()) {
                metadata.set(field, value);
            }
        }
        scale.putObject("spec").put("replicas", object.at("/spec/replicas").asInt(0));
        String selector =
                object.at("/spec/selector/matchLabels")
                        .propertyStream()
                        .map(label -> label.getKey() + "=" + label.getValue().asString(""))
                        .collect(Collectors.joining(","));
        scale.putObject("status")
                .put("replicas", object.at("/status/replicas").asInt(0))
                .put("selector", selector);
        return scale;
    }
}
