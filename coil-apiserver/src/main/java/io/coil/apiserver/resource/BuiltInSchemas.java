package io.coil.apiserver.resource;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schemas of {@code schemas.yaml}. There, where a schema is expected, a name stands for the part of
 * that name; here every name is replaced by a copy, because nothing else reads names.
 */
final class BuiltInSchemas {
    private BuiltInSchemas() {}

    static @Nullable JsonNode of(JsonNode parts, String kind) {
        JsonNode schema = parts.get(kind);
        return schema == null ? null : resolved(parts, schema);
    }

    private static JsonNode resolved(JsonNode parts, JsonNode schema) {
        if (schema.isString()) {
            JsonNode part = parts.get(schema.stringValue());
            if (part == null) {
                throw new IllegalStateException("no part of schemas.yaml is named " + schema);
            }
            return resolved(parts, part);
        }
        ObjectNode copy = Json.object();
        for (var field : schema.properties()) {
            JsonNode value = field.getValue();
            copy.set(
                    field.getKey(),
                    switch (field.getKey()) {
                        case "properties" -> properties(parts, value);
                        case "items", "additionalProperties" -> resolved(parts, value);
                        default -> value;
                    });
        }
        return copy;
    }

    private static ObjectNode properties(JsonNode parts, JsonNode properties) {
        ObjectNode copy = Json.object();
        properties.properties().forEach(p -> copy.set(p.getKey(), resolved(parts, p.getValue())));
        return copy;
    }
}
