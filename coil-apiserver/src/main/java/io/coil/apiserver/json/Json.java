package io.coil.apiserver.json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** How this server reads, writes and compares JSON trees. */
public final class Json {
    public static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The text at a path of properties; null when it is absent, null or no text. */
    public static @Nullable String text(JsonNode node, String... path) {
        JsonNode at = node;
        for (String step : path) {
            at = at.path(step);
        }
        return at.isString() ? at.stringValue() : null;
    }

    /** The texts of an array; what is no text is left out. */
    public static List<String> texts(JsonNode array) {
        if (array.isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode item : array) {
            if (item.isString()) {
                texts.add(item.stringValue());
            }
        }
        return texts;
    }

    /** {@code metadata} of an object; made when there is none. */
    public static ObjectNode metadata(ObjectNode object) {
        return child(object, "metadata");
    }

    /** The object under {@code name}; made when there is none. */
    public static ObjectNode child(ObjectNode object, String name) {
        if (object.get(name) instanceof ObjectNode found) {
            return found;
        }
        ObjectNode made = object();
        object.set(name, made);
        return made;
    }

    public static ArrayNode array(List<String> texts) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(texts.size());
        texts.forEach(array::add);
        return array;
    }

    /**
     * Whether two trees say the same: numbers are compared by value, because a 1 that was parsed
     * and a 1 that was set as a long are different classes.
     */
    public static boolean same(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        if (a.isInt() && b.isInt()) {
            return a.intValue() == b.intValue();
        }
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        if (a.size() != b.size() || a.getNodeType() != b.getNodeType()) {
            return false;
        }
        if (a.isObject()) {
            for (var entry : a.properties()) {
                if (!same(entry.getValue(), b.get(entry.getKey()))) {
                    return false;
                }
            }
            return true;
        }
        if (a.isArray()) {
            for (int i = 0; i < a.size(); i++) {
                if (!same(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }
}
