package io.coil.apiserver.schema;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges one object; the sentences are those that Kubernetes' users know. */
final class Validation {
    private final List<Violation> violations = new ArrayList<>();

    private Validation() {}

    static List<Violation> validate(
            StructuralSchema schema, JsonNode object, @Nullable JsonNode old) {
        Validation validation = new Validation();
        validation.value(schema, object, old, "");
        return validation.violations;
    }

    private void value(
            StructuralSchema schema, JsonNode value, @Nullable JsonNode old, String path) {
        if (old != null && Json.same(value, old)) {
            return;
        }
        if (value.isNull()) {
            if (!schema.nullable && schema.type != null) {
                violations.add(Violation.wrongType(path, "null", schema.type));
            }
            return;
        }
        if (!typeFits(schema, value)) {
            violations.add(
                    Violation.wrongType(
                            path,
                            typeOf(value),
                            schema.intOrString ? "integer,string" : "" + schema.type));
            return;
        }
        if (!schema.allowed.isEmpty()) {
            allowed(schema, value, path);
        }
        if (value.isObject()) {
            object(schema, value, old, path);
        } else if (value.isArray()) {
            array(schema, value, old, path);
        } else if (value.isString()) {
            text(schema, value.stringValue(), path);
        } else if (value.isNumber()) {
            number(schema, value, path);
        }
    }

    private void object(
            StructuralSchema schema, JsonNode object, @Nullable JsonNode old, String path) {
        for (String name : schema.required) {
            if (!object.has(name)) {
                violations.add(Violation.required(below(path, name)));
            }
        }
        if (object.size() < schema.minProperties || object.size() > schema.maxProperties) {
            boolean few = object.size() < schema.minProperties;
            violations.add(
                    Violation.invalid(
                            path,
                            String.valueOf(object.size()),
                            few
                                    ? "should have at least " + schema.minProperties + " properties"
                                    : "should have at most "
                                            + schema.maxProperties
                                            + " properties"));
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            @Nullable StructuralSchema inner = schema.properties.get(field.getKey());
            inner = inner == null ? schema.additional : inner;
            if (inner != null) {
                @Nullable JsonNode before = old == null ? null : old.get(field.getKey());
                value(inner, field.getValue(), before, below(path, field.getKey()));
            }
        }
    }

    private void array(
            StructuralSchema schema, JsonNode array, @Nullable JsonNode old, String path) {
        if (array.size() < schema.minItems) {
            violations.add(
                    Violation.invalid(
                            path,
                            String.valueOf(array.size()),
                            "should have at least " + schema.minItems + " items"));
        }
        if (array.size() > schema.maxItems) {
            violations.add(
                    new Violation(
                            path,
                            "FieldValueTooMany",
                            "Too many: %d: must have at most %d items"
                                    .formatted(array.size(), schema.maxItems)));
        }
        if (schema.items == null) {
            return;
        }
        Set<JsonNode> seen = new HashSet<>();
        for (int i = 0; i < array.size(); i++) {
            String at = path + "[" + i + "]";
            value(schema.items, array.get(i), counterpart(schema, array.get(i), old), at);
            if (schema.set || !schema.mapKeys.isEmpty()) {
                JsonNode identity = schema.set ? array.get(i) : keyOf(schema, array.get(i));
                if (!seen.add(identity)) {
                    violations.add(
                            new Violation(
                                    at, "FieldValueDuplicate", "Duplicate value: " + identity));
                }
            }
        }
    }

    /** Only items with a key are the same items as before. */
    private static @Nullable JsonNode counterpart(
            StructuralSchema schema, JsonNode item, @Nullable JsonNode old) {
        if (old == null || schema.mapKeys.isEmpty()) {
            return null;
        }
        JsonNode key = keyOf(schema, item);
        for (JsonNode before : old) {
            if (Json.same(key, keyOf(schema, before))) {
                return before;
            }
        }
        return null;
    }

    private static JsonNode keyOf(StructuralSchema schema, JsonNode item) {
        var key = Json.object();
        schema.mapKeys.forEach(name -> key.set(name, item.path(name)));
        return key;
    }

    private void text(StructuralSchema schema, String text, String path) {
        int length = text.codePointCount(0, text.length());
        if (length < schema.minLength) {
            violations.add(
                    Violation.invalid(
                            path,
                            quoted(text),
                            "should be at least " + schema.minLength + " chars long"));
        }
        if (length > schema.maxLength) {
            violations.add(
                    new Violation(
                            path,
                            "FieldValueTooLong",
                            "Too long: may not be more than " + schema.maxLength + " bytes"));
        }
        if (schema.pattern != null && !schema.pattern.matcher(text).find()) {
            violations.add(
                    Violation.invalid(path, quoted(text), "should match '" + schema.pattern + "'"));
        }
        if (schema.format != null && !formatFits(schema.format, text)) {
            violations.add(
                    Violation.invalid(
                            path,
                            quoted(text),
                            "must be of type " + schema.format + ": " + quoted(text)));
        }
    }

    private void number(StructuralSchema schema, JsonNode number, String path) {
        BigDecimal value = number.decimalValue();
        if (schema.minimum != null
                && value.compareTo(schema.minimum) < (schema.exclusiveMinimum ? 1 : 0)) {
            violations.add(
                    Violation.invalid(
                            path,
                            number.toString(),
                            "should be greater than "
                                    + (schema.exclusiveMinimum ? "" : "or equal to ")
                                    + schema.minimum.toPlainString()));
        }
        if (schema.maximum != null
                && value.compareTo(schema.maximum) > (schema.exclusiveMaximum ? -1 : 0)) {
            violations.add(
                    Violation.invalid(
                            path,
                            number.toString(),
                            "should be less than "
                                    + (schema.exclusiveMaximum ? "" : "or equal to ")
                                    + schema.maximum.toPlainString()));
        }
        boolean tooWide =
                ("int32".equals(schema.format) && !number.canConvertToInt())
                        || ("int64".equals(schema.format) && !number.canConvertToLong());
        if (tooWide) {
            violations.add(
                    Violation.invalid(
                            path,
                            number.toString(),
                            "must be of type integer with format " + schema.format));
        }
    }

    private void allowed(StructuralSchema schema, JsonNode value, String path) {
        for (JsonNode one : schema.allowed) {
            if (Json.same(one, value)) {
                return;
            }
        }
        String supported =
                schema.allowed.stream().map(JsonNode::toString).collect(Collectors.joining(", "));
        violations.add(
                new Violation(
                        path,
                        "FieldValueNotSupported",
                        "Unsupported value: " + value + ": supported values: " + supported));
    }

    private static boolean typeFits(StructuralSchema schema, JsonNode value) {
        if (schema.intOrString) {
            return value.isIntegralNumber() || value.isString();
        }
        return switch (schema.type) {
            case null -> true;
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "number" -> value.isNumber();
            case "integer" -> value.isIntegralNumber() || value.canConvertToExactIntegral();
            default -> true;
        };
    }

    private static boolean formatFits(String format, String text) {
        try {
            switch (format) {
                case "date-time" -> OffsetDateTime.parse(text);
                case "byte" -> Base64.getDecoder().decode(text);
                default -> {}
            }
            return true;
        } catch (DateTimeParseException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String typeOf(JsonNode value) {
        if (value.isNumber()) {
            return value.isIntegralNumber() ? "integer" : "number";
        }
        return value.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
