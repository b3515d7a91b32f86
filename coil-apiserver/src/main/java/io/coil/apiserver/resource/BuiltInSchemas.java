package io.coil.apiserver.resource;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schemas of {@code schemas.yaml}. There a schema may say {@code $use: Name} instead of repeating
 * one that has a name; here every use is replaced by a copy, because nothing else reads references.
 */
final class BuiltInSchemas {
    private BuiltInSchemas() {}

    static @Nullable JsonNode of(JsonNode schemas, String kind) {
        JsonNode schema = schemas.get(kind);
        return schema == null ? null : resolved(schemas, schema);
    }

    private static JsonNode resolved(JsonNode schemas, JsonNode node) {
        @Nullable String used = Json.text(node, "$use");
        if (used != null) {
            JsonNode named = schemas.get(used);
            if (named == null) {
                throw new IllegalStateException("no schema is named " + used);
            }
            return resolved(schemas, named);
        }
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties()
                        .forEach(e -> copy.set(e.getKey(), resolved(schemas, e.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(resolved(schemas, item)));
                yield copy;
            }
            default -> node;
        };
    }
}
