package io.coil.apiserver.protobuf;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The messages that can be read, from {@code messages.yaml}. */
final class Messages {
    /** How many values a field has. */
    enum Shape {
        ONE,
        LIST,
        MAP
    }

    /**
     * @param type a scalar's name, or a message's
     * @param always written to JSON even when it is empty
     */
    record Field(String name, String type, Shape shape, boolean always) {}

    private static final Map<String, Map<Integer, Field>> ALL = read();

    private Messages() {}

    /** The fields of a message by their numbers; null if it is not known. */
    static @Nullable Map<Integer, Field> fields(String message) {
        return ALL.get(message);
    }

    private static Map<String, Map<Integer, Field>> read() {
        try (InputStream in = Messages.class.getResourceAsStream("messages.yaml")) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: messages.yaml");
            }
            Map<String, Map<Integer, Field>> messages = new HashMap<>();
            YAMLMapper.builder()
                    .build()
                    .readTree(in)
                    .forEachEntry((name, fields) -> messages.put(name, fields(fields)));
            return messages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<Integer, Field> fields(JsonNode described) {
        Map<Integer, Field> fields = new HashMap<>();
        described.forEachEntry(
                (number, text) -> fields.put(Integer.parseInt(number), field(text.asString(""))));
        return fields;
    }

    private static Field field(String text) {
        List<String> words = List.of(text.split(" ", -1));
        String type = words.getLast();
        boolean always = type.endsWith("?");
        Shape shape =
                switch (words.size() > 2 ? words.get(1) : "") {
                    case "list" -> Shape.LIST;
                    case "map" -> Shape.MAP;
                    default -> Shape.ONE;
                };
        return new Field(words.getFirst(), type.replace("?", ""), shape, always);
    }
}
