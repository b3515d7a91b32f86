package io.coil.apiserver.table;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.List;
import java.util.Locale;

/** The columns of an event, whichever of the two event APIs wrote it. */
final class EventColumns {
    static final List<TableColumn> ALL =
            List.of(
                    new TableColumn(
                            "Last Seen",
                            "string",
                            "",
                            "",
                            0,
                            (event, now) ->
                                    JsonNodeFactory.instance.stringNode(
                                            Age.since(lastSeen(event), now))),
                    TableColumn.text("Type", event -> event.path("type").asString("")),
                    TableColumn.text("Reason", event -> event.path("reason").asString("")),
                    TableColumn.text("Object", EventColumns::object),
                    TableColumn.wide(
                            "Source",
                            event -> first(event, "/source/component", "/reportingComponent")),
                    TableColumn.text("Message", event -> first(event, "/message", "/note").trim()),
                    TableColumn.wide(
                            "Count", event -> Integer.toString(event.path("count").asInt(1))),
                    TableColumn.wide(
                            "Name", event -> event.path("metadata").path("name").asString("")));

    private EventColumns() {}

    private static String lastSeen(JsonNode event) {
        return first(
                event,
                "/series/lastObservedTime",
                "/lastTimestamp",
                "/deprecatedLastTimestamp",
                "/eventTime",
                "/firstTimestamp",
                "/metadata/creationTimestamp");
    }

    private static String object(JsonNode event) {
        String kind = first(event, "/involvedObject/kind", "/regarding/kind");
        return kind.toLowerCase(Locale.ROOT)
                + "/"
                + first(event, "/involvedObject/name", "/regarding/name");
    }

    private static String first(JsonNode object, String... pointers) {
        for (String pointer : pointers) {
            String text = object.at(pointer).asString("");
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }
}
