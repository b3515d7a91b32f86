package io.coil.admin.rest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A list as comma-separated values (RFC 4180): a header row of paths, then a row for each item. A
 * list in a cell is joined by spaces, a map is {@code key=value} joined by spaces; what is not
 * known is empty.
 *
 * <p>A text that a spreadsheet would take for a formula gets an apostrophe before it: names come
 * from people, and whoever opens the file must not run what they wrote.
 */
final class Csv {
    private static final String END = "\r\n";
    private static final String FORMULA = "=+-@\t\r";

    private Csv() {}

    static String of(List<String> columns, Iterable<JsonNode> items) {
        StringBuilder text = new StringBuilder();
        row(text, columns);
        for (JsonNode item : items) {
            row(text, columns.stream().map(path -> cell(at(item, path))).toList());
        }
        return text.toString();
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append(cells.stream().map(Csv::quoted).collect(Collectors.joining(","))).append(END);
    }

    private static @Nullable JsonNode at(JsonNode item, String path) {
        JsonNode value = item;
        for (String name : path.split("\\.", -1)) {
            value = value == null ? null : value.get(name);
        }
        return value;
    }

    private static String cell(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(part.asString()));
            return harmless(String.join(" ", parts));
        }
        if (value.isObject()) {
            return harmless(
                    value.properties().stream()
                            .map(e -> e.getKey() + "=" + e.getValue().asString())
                            .collect(Collectors.joining(" ")));
        }
        return value.isString() ? harmless(value.asString()) : value.asString();
    }

    private static String harmless(String text) {
        return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private static String quoted(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return plain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }
}
