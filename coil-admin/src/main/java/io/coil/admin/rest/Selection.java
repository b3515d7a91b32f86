package io.coil.admin.rest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields that somebody wants to see, as {@code fields} names them: {@code name,total.used}.
 *
 * @param paths as they were asked for; none: all
 */
record Selection(List<String> paths) {
    static final Selection ALL = new Selection(List.of());

    /** Null or empty: all. Refuses a name that is not known. */
    static Selection of(@Nullable String text, Fields fields) {
        if (text == null || text.isBlank()) {
            return ALL;
        }
        List<String> paths = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        paths.forEach(path -> fields.at(path, "fields"));
        return new Selection(paths);
    }

    /** The paths that fit into a cell, in the order in which they were asked for. */
    List<String> columns(Fields fields) {
        return paths.isEmpty()
                ? fields.flat()
                : paths.stream().flatMap(path -> fields.flat(path).stream()).toList();
    }

    /** What was asked for, out of the whole. */
    JsonNode of(JsonNode whole) {
        return paths.isEmpty() ? whole : pruned(whole, tree());
    }

    /** Names on a way; a node without children takes all that is below. */
    private record Wanted(Map<String, Wanted> below) {}

    private Wanted tree() {
        Wanted root = new Wanted(new LinkedHashMap<>());
        for (String path : paths) {
            Wanted at = root;
            boolean whole = false;
            for (String name : path.split("\\.", -1)) {
                Wanted there = at.below().get(name);
                whole = there != null && there.below().isEmpty();
                if (whole) {
                    break;
                }
                at = at.below().computeIfAbsent(name, n -> new Wanted(new LinkedHashMap<>()));
            }
            if (!whole) {
                at.below().clear();
            }
        }
        return root;
    }

    private static JsonNode pruned(JsonNode whole, Wanted wanted) {
        if (wanted.below().isEmpty()) {
            return whole;
        }
        if (whole instanceof ArrayNode list) {
            ArrayNode all = JsonNodeFactory.instance.arrayNode(list.size());
            list.forEach(element -> all.add(pruned(element, wanted)));
            return all;
        }
        if (whole instanceof ObjectNode object) {
            ObjectNode some = JsonNodeFactory.instance.objectNode();
            wanted.below()
                    .forEach(
                            (name, below) -> {
                                JsonNode value = object.get(name);
                                if (value != null) {
                                    some.set(name, pruned(value, below));
                                }
                            });
            return some;
        }
        return whole;
    }
}
