package io.coil.admin;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether JSON is what a schema of the description says: fields, types, choices. */
final class JsonSchema {
    private final JsonNode description;

    JsonSchema(JsonNode description) {
        this.description = description;
    }

    /** A sentence for each thing that does not fit. */
    List<String> check(JsonNode schema, JsonNode value, String where) {
        List<String> wrong = new ArrayList<>();
        check(schema, value, where, wrong);
        return wrong;
    }

    private void check(JsonNode asked, JsonNode value, String where, List<String> wrong) {
        JsonNode schema = resolved(asked);
        if (schema.has("anyOf") || schema.has("oneOf")) {
            boolean fits = false;
            for (JsonNode one : schema.has("anyOf") ? schema.get("anyOf") : schema.get("oneOf")) {
                fits |= check(one, value, where).isEmpty();
            }
            if (!fits) {
                wrong.add("%s is %s, none of what is allowed".formatted(where, value));
            }
            return;
        }
        if (!types(schema).isEmpty() && !types(schema).contains(type(value, types(schema)))) {
            wrong.add("%s is %s, allowed is %s".formatted(where, value, types(schema)));
            return;
        }
        if (value.isArray() && schema.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.get("items"), value.get(i), where + "[" + i + "]", wrong);
            }
        }
        if (value.isObject()) {
            object(schema, value, where, wrong);
        }
    }

    private void object(JsonNode schema, JsonNode value, String where, List<String> wrong) {
        JsonNode properties = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String at = where + "." + field.getKey();
            if (properties.has(field.getKey())) {
                check(properties.get(field.getKey()), field.getValue(), at, wrong);
            } else if (others.isObject()) {
                check(others, field.getValue(), at, wrong);
            } else {
                wrong.add(at + " is not described");
            }
        }
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asString())) {
                wrong.add(where + "." + required.asString() + " is missing");
            }
        }
    }

    JsonNode resolved(JsonNode schema) {
        return schema.has("$ref")
                ? resolved(description.at(schema.get("$ref").asString().substring(1)))
                : schema;
    }

    private static List<String> types(JsonNode schema) {
        List<String> types = new ArrayList<>();
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            type.forEach(t -> types.add(t.asString()));
        } else if (type.isString()) {
            types.add(type.asString());
        }
        return types;
    }

    private static String type(JsonNode value, List<String> allowed) {
        if (value.isNull()) {
            return "null";
        }
        if (value.isBoolean()) {
            return "boolean";
        }
        if (value.isNumber()) {
            return value.isIntegralNumber() && allowed.contains("integer") ? "integer" : "number";
        }
        return value.isArray() ? "array" : value.isObject() ? "object" : "string";
    }
}
