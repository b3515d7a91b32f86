package io.coil.apiserver.table;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;

/** A column of a Table and how its cells are made. */
record TableColumn(
        String name, String type, String format, String description, int priority, Cell cell) {

    /** Makes a cell of an object; ages are counted to {@code now}. */
    interface Cell {
        JsonNode of(JsonNode object, Instant now);
    }

    /** A cell of text. */
    interface Text {
        String of(JsonNode object);
    }

    static TableColumn text(String name, Text text) {
        return new TableColumn(name, "string", "", "", 0, (object, now) -> string(text.of(object)));
    }

    static TableColumn wide(String name, Text text) {
        return new TableColumn(name, "string", "", "", 1, (object, now) -> string(text.of(object)));
    }

    /** A number that is 0 when it is not there. */
    static TableColumn count(String name, String pointer) {
        return new TableColumn(
                name,
                "integer",
                "",
                "",
                0,
                (object, now) -> JsonNodeFactory.instance.numberNode(object.at(pointer).asInt(0)));
    }

    static TableColumn objectName() {
        return new TableColumn(
                "Name",
                "string",
                "name",
                "Name must be unique within a namespace.",
                0,
                (object, now) -> object.path("metadata").path("name"));
    }

    static TableColumn age() {
        return age("Age", "/metadata/creationTimestamp");
    }

    static TableColumn age(String name, String pointer) {
        return new TableColumn(
                name,
                "string",
                "",
                "",
                0,
                (object, now) -> string(Age.since(object.at(pointer).asString(""), now)));
    }

    /** A column as a CustomResourceDefinition describes it. */
    static TableColumn ofPath(
            String name,
            String type,
            String format,
            String description,
            int priority,
            String jsonPath) {
        JsonPath path = JsonPath.parse(jsonPath);
        boolean date = type.equals("date");
        return new TableColumn(
                name,
                type,
                format,
                description,
                priority,
                (object, now) -> cell(path.find(object), date, now));
    }

    private static JsonNode cell(List<JsonNode> found, boolean date, Instant now) {
        if (found.isEmpty()) {
            return NullNode.getInstance();
        }
        if (date) {
            return string(Age.since(found.getFirst().asString(""), now));
        }
        if (found.size() == 1) {
            JsonNode only = found.getFirst();
            return only.isValueNode() ? only : string(only.toString());
        }
        return string(
                String.join(
                        " ",
                        found.stream()
                                .map(n -> n.isValueNode() ? n.asString("") : n.toString())
                                .toList()));
    }

    private static JsonNode string(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    ObjectNode definition() {
        return Json.object()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority);
    }
}
