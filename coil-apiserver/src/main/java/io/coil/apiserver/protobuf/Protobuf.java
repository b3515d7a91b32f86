package io.coil.apiserver.protobuf;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.protobuf.Messages.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * Reads objects in Kubernetes' protobuf encoding, as far as kubectl needs it: an envelope that says
 * which kind follows, and the object's message. Answers are JSON always.
 */
public final class Protobuf {
    public static final String CONTENT_TYPE = "application/vnd.kubernetes.protobuf";

    private static final String MAGIC = "k8s\0";

    private Protobuf() {}

    /**
     * @param body the bytes, one to one as characters (ISO 8859-1)
     * @throws ApiStatusException 415 when it is of a kind, or has a field, that is not read here;
     *     400 when it is no protobuf
     */
    public static ObjectNode read(String body) {
        if (!body.startsWith(MAGIC)) {
            throw new ApiStatusException(
                    400, "BadRequest", "the body is not in Kubernetes' protobuf encoding");
        }
        byte[] bytes = body.substring(MAGIC.length()).getBytes(StandardCharsets.ISO_8859_1);
        try {
            ObjectNode object = Json.object();
            String kind = "";
            byte[] raw = new byte[0];
            for (WireReader envelope = new WireReader(bytes); envelope.hasNext(); ) {
                WireReader.Field field = envelope.next();
                if (field.number() == 1) {
                    object.setAll(message("TypeMeta", field.content()));
                    kind = object.path("kind").asString("");
                } else if (field.number() == 2) {
                    raw = field.raw();
                }
            }
            return object.setAll(message(kind, new WireReader(raw)));
        } catch (IllegalArgumentException e) {
            throw new ApiStatusException(
                    400, "BadRequest", "the body is no protobuf: " + e.getMessage());
        }
    }

    private static ObjectNode message(String type, WireReader reader) {
        Map<Integer, Field> fields = Messages.fields(type);
        if (fields == null) {
            throw unsupported("objects of kind \"" + type + "\"");
        }
        ObjectNode object = Json.object();
        while (reader.hasNext()) {
            WireReader.Field field = reader.next();
            Field known = fields.get(field.number());
            if (known == null && field.empty()) {
                continue;
            }
            if (known == null) {
                throw unsupported("field " + field.number() + " of " + type);
            }
            if (!known.type().equals("skip")) {
                put(object, known, field);
            }
        }
        return object;
    }

    private static void put(ObjectNode object, Field known, WireReader.Field field) {
        switch (known.shape()) {
            case LIST -> {
                JsonNode item = value(known.type(), field);
                object.withArrayProperty(known.name())
                        .add(item == null ? JsonNodeFactory.instance.stringNode("") : item);
            }
            case MAP ->
                    entry(object.withObjectProperty(known.name()), known.type(), field.content());
            case ONE -> {
                JsonNode value = value(known.type(), field);
                if (value != null && (known.always() || !empty(value))) {
                    object.set(known.name(), value);
                }
            }
        }
    }

    private static void entry(ObjectNode map, String type, WireReader entry) {
        String key = "";
        JsonNode value = JsonNodeFactory.instance.stringNode("");
        while (entry.hasNext()) {
            WireReader.Field field = entry.next();
            if (field.number() == 1) {
                key = field.text();
            } else {
                JsonNode read = value(type, field);
                value = read == null ? value : read;
            }
        }
        map.set(key, value);
    }

    private static boolean empty(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.asString("").isEmpty();
            case NUMBER -> value.asLong() == 0;
            case BOOLEAN -> !value.asBoolean();
            case OBJECT -> value.isEmpty();
            default -> false;
        };
    }

    private static @Nullable JsonNode value(String type, WireReader.Field field) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        return switch (type) {
            case "string" -> make.stringNode(field.text());
            case "int" -> make.numberNode(field.value());
            case "bool" -> make.booleanNode(field.value() != 0);
            case "bytes" -> make.stringNode(Base64.getEncoder().encodeToString(field.raw()));
            case "time" -> time(field.content());
            case "intOrString" -> intOrString(field.content());
            case "quantity" -> first(field.content());
            default -> message(type, field.content());
        };
    }

    /** Null for the zero time, which is how an unset one is written. */
    private static @Nullable JsonNode time(WireReader time) {
        long seconds = 0;
        while (time.hasNext()) {
            WireReader.Field field = time.next();
            seconds = field.number() == 1 ? field.value() : seconds;
        }
        return seconds <= 0
                ? null
                : JsonNodeFactory.instance.stringNode(Instant.ofEpochSecond(seconds).toString());
    }

    private static JsonNode intOrString(WireReader either) {
        long type = 0;
        long number = 0;
        String text = "";
        while (either.hasNext()) {
            WireReader.Field field = either.next();
            switch (field.number()) {
                case 1 -> type = field.value();
                case 2 -> number = field.value();
                default -> text = field.text();
            }
        }
        return type == 0
                ? JsonNodeFactory.instance.numberNode(number)
                : JsonNodeFactory.instance.stringNode(text);
    }

    private static JsonNode first(WireReader message) {
        return JsonNodeFactory.instance.stringNode(message.hasNext() ? message.next().text() : "");
    }

    private static ApiStatusException unsupported(String what) {
        return new ApiStatusException(
                415,
                "UnsupportedMediaType",
                "this API server does not read "
                        + what
                        + " in "
                        + CONTENT_TYPE
                        + ": send application/json");
    }
}
