package io.coil.apiserver.schema;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An OpenAPI v3 schema as CustomResourceDefinitions have it, read once so that a write costs no
 * look-up in the document. Not evaluated: {@code x-kubernetes-validations} (CEL) and {@code
 * allOf/anyOf/oneOf/not}.
 */
public final class StructuralSchema {
    /** Allows everything, changes nothing. */
    public static final StructuralSchema ANYTHING = of(null);

    final @Nullable String type;
    final Map<String, StructuralSchema> properties;
    final @Nullable StructuralSchema additional;
    final @Nullable StructuralSchema items;
    final List<String> required;
    final boolean keepsUnknown;
    final boolean intOrString;
    final boolean embedded;
    final boolean nullable;
    final @Nullable JsonNode fallback;
    final @Nullable BigDecimal minimum;
    final @Nullable BigDecimal maximum;
    final boolean exclusiveMinimum;
    final boolean exclusiveMaximum;
    final int minLength;
    final int maxLength;
    final int minItems;
    final int maxItems;
    final int minProperties;
    final int maxProperties;
    final @Nullable Pattern pattern;
    final List<JsonNode> allowed;
    final @Nullable String format;
    final List<String> mapKeys;
    final boolean set;

    private StructuralSchema(JsonNode schema) {
        this.type = Json.text(schema, "type");
        this.properties = new LinkedHashMap<>();
        schema.path("properties")
                .properties()
                .forEach(e -> properties.put(e.getKey(), new StructuralSchema(e.getValue())));
        JsonNode more = schema.path("additionalProperties");
        this.additional = more.isObject() ? new StructuralSchema(more) : null;
        this.items =
                schema.path("items").isObject() ? new StructuralSchema(schema.path("items")) : null;
        this.required = Json.texts(schema.path("required"));
        this.keepsUnknown =
                flag(schema, "x-kubernetes-preserve-unknown-fields")
                        || (more.isBoolean() && more.booleanValue())
                        || schema.isEmpty();
        this.intOrString = flag(schema, "x-kubernetes-int-or-string");
        this.embedded = flag(schema, "x-kubernetes-embedded-resource");
        this.nullable = flag(schema, "nullable");
        this.fallback = schema.get("default");
        this.minimum = number(schema, "minimum");
        this.maximum = number(schema, "maximum");
        this.exclusiveMinimum = flag(schema, "exclusiveMinimum");
        this.exclusiveMaximum = flag(schema, "exclusiveMaximum");
        this.minLength = schema.path("minLength").asInt(0);
        this.maxLength = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        this.minItems = schema.path("minItems").asInt(0);
        this.maxItems = schema.path("maxItems").asInt(Integer.MAX_VALUE);
        this.minProperties = schema.path("minProperties").asInt(0);
        this.maxProperties = schema.path("maxProperties").asInt(Integer.MAX_VALUE);
        @Nullable String expression = Json.text(schema, "pattern");
        this.pattern = expression == null ? null : Pattern.compile(expression);
        this.allowed = new ArrayList<>();
        schema.path("enum").forEach(allowed::add);
        this.format = Json.text(schema, "format");
        String listType = schema.path("x-kubernetes-list-type").asString("atomic");
        this.mapKeys =
                listType.equals("map")
                        ? Json.texts(schema.path("x-kubernetes-list-map-keys"))
                        : List.of();
        this.set = listType.equals("set");
    }

    /**
     * @param schema null: everything is allowed
     * @throws java.util.regex.PatternSyntaxException for a pattern that is none
     */
    public static StructuralSchema of(@Nullable JsonNode schema) {
        return new StructuralSchema(schema == null ? Json.object() : schema);
    }

    /**
     * Sets defaults and drops unknown fields, both in place.
     *
     * @return paths of the fields that were dropped
     */
    public List<String> shape(ObjectNode object) {
        return Shaping.shape(this, object);
    }

    /**
     * Everything in the object that the schema does not allow.
     *
     * @param old the object as it was; what has not changed since is not judged again, so that an
     *     object from before the schema became stricter can still be changed elsewhere
     */
    public List<Violation> validate(JsonNode object, @Nullable JsonNode old) {
        return Validation.validate(this, object, old);
    }

    private static boolean flag(JsonNode schema, String name) {
        return schema.path(name).asBoolean(false);
    }

    private static @Nullable BigDecimal number(JsonNode schema, String name) {
        JsonNode value = schema.path(name);
        return value.isNumber() ? value.decimalValue() : null;
    }
}
