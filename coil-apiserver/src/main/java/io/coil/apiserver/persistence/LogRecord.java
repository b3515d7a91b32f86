package io.coil.apiserver.persistence;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.StoredObject;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * One line of the state file: eight hex digits of a checksum, a blank, and JSON. An object as it
 * was stored, a deletion, or the mark that everything up to a version stands above.
 */
sealed interface LogRecord {
    record Put(TypeKey type, ObjectKey key, long version, ObjectNode tree) implements LogRecord {}

    record Removal(TypeKey type, ObjectKey key, long version) implements LogRecord {}

    record Mark(long version) implements LogRecord {}

    static byte[] line(Change change) {
        StoredObject object = change.after();
        ObjectNode json = address(change.deleted() ? "remove" : "put", object);
        if (!change.deleted()) {
            json.set("object", object.tree());
        }
        return line(json);
    }

    static byte[] line(StoredObject object) {
        ObjectNode json = address("put", object);
        json.set("object", object.tree());
        return line(json);
    }

    static byte[] mark(long version) {
        return line(Json.object().put("do", "mark").put("version", version));
    }

    private static ObjectNode address(String verb, StoredObject object) {
        return Json.object()
                .put("do", verb)
                .put("version", object.version())
                .put("group", object.type().group())
                .put("plural", object.type().plural())
                .put("namespace", object.namespace())
                .put("name", object.name());
    }

    private static byte[] line(ObjectNode json) {
        byte[] text = Json.MAPPER.writeValueAsBytes(json);
        byte[] line = new byte[text.length + 10];
        byte[] sum = checksum(text, 0, text.length).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(sum, 0, line, 0, 8);
        line[8] = ' ';
        System.arraycopy(text, 0, line, 9, text.length);
        line[line.length - 1] = '\n';
        return line;
    }

    private static String checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /**
     * @param line without its end
     * @throws IllegalArgumentException when it is not what was written
     */
    static LogRecord parse(byte[] line) {
        boolean whole =
                line.length > 10
                        && new String(line, 0, 9, StandardCharsets.ISO_8859_1)
                                .equals(checksum(line, 9, line.length - 9) + " ");
        if (!whole) {
            throw new IllegalArgumentException("the checksum does not fit");
        }
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(line, 9, line.length - 9);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
        long version = json.path("version").asLong(-1);
        TypeKey type =
                new TypeKey(json.path("group").asString(""), json.path("plural").asString(""));
        ObjectKey key =
                new ObjectKey(json.path("namespace").asString(""), json.path("name").asString(""));
        String verb = json.path("do").asString("");
        if (verb.equals("put") && json.get("object") instanceof ObjectNode tree) {
            return new Put(type, key, version, tree);
        }
        return switch (verb) {
            case "remove" -> new Removal(type, key, version);
            case "mark" -> new Mark(version);
            default -> throw new IllegalArgumentException("not a record of this server");
        };
    }
}
