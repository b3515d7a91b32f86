package io.coil.apiserver.table;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The JSON paths of printer columns: names ({@code .a.b}, dots in a name as {@code \.}), {@code
 * ['name']}, {@code [0]}, {@code [*]} and one equality filter {@code [?(@.a=="x")]}. A path that is
 * none of these finds nothing.
 */
final class JsonPath {
    private sealed interface Step {}

    private record Field(String name) implements Step {}

    private record Index(int index) implements Step {}

    private record All() implements Step {}

    private record Filter(List<Step> path, String value, boolean equal) implements Step {}

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = steps;
    }

    static JsonPath parse(String text) {
        return new JsonPath(steps(text));
    }

    /** What the path leads to; empty if there is nothing. */
    List<JsonNode> find(JsonNode root) {
        return follow(steps, root);
    }

    private static List<JsonNode> follow(List<Step> steps, JsonNode root) {
        Stream<JsonNode> found = Stream.of(root);
        for (Step step : steps) {
            found = found.flatMap(node -> take(step, node));
        }
        return found.filter(node -> !node.isMissingNode() && !node.isNull()).toList();
    }

    private static Stream<JsonNode> take(Step step, JsonNode node) {
        return switch (step) {
            case Field field -> Stream.of(node.path(field.name()));
            case Index index ->
                    Stream.of(
                            node.path(
                                    index.index() < 0
                                            ? node.size() + index.index()
                                            : index.index()));
            case All ignored -> node.valueStream();
            case Filter filter ->
                    node.valueStream()
                            .filter(
                                    item ->
                                            follow(filter.path(), item).stream()
                                                            .anyMatch(
                                                                    value ->
                                                                            text(value)
                                                                                    .equals(
                                                                                            filter
                                                                                                    .value()))
                                                    == filter.equal());
        };
    }

    private static String text(JsonNode value) {
        return value.isValueNode() ? value.asString("") : value.toString();
    }

    private static List<Step> steps(String text) {
        List<Step> steps = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '[') {
                int end = closing(text, at);
                if (end < 0) {
                    return List.of(new Field("\0"));
                }
                steps.add(bracket(text.substring(at + 1, end).trim()));
                at = end + 1;
            } else if (c == '.') {
                at++;
            } else if (c == '*') {
                steps.add(new All());
                at++;
            } else {
                StringBuilder name = new StringBuilder();
                while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
                    if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                        at++;
                    }
                    name.append(text.charAt(at++));
                }
                steps.add(new Field(name.toString()));
            }
        }
        return steps;
    }

    /** The bracket that closes the one at {@code from}, quoted ones not counted; -1 if none. */
    private static int closing(String text, int from) {
        char quote = 0;
        int depth = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static Step bracket(String inside) {
        if (inside.equals("*")) {
            return new All();
        }
        if (inside.startsWith("?(") && inside.endsWith(")")) {
            String condition = inside.substring(2, inside.length() - 1).trim();
            boolean equal = !condition.contains("!=");
            String[] sides = condition.split(equal ? "==" : "!=", 2);
            String left = sides[0].trim();
            return new Filter(
                    steps(left.startsWith("@") ? left.substring(1) : left),
                    sides.length < 2 ? "" : unquote(sides[1].trim()),
                    equal);
        }
        try {
            return new Index(Integer.parseInt(inside));
        } catch (NumberFormatException aName) {
            return new Field(unquote(inside).replace("\\.", "."));
        }
    }

    private static String unquote(String text) {
        boolean quoted =
                text.length() >= 2
                        && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                        && text.charAt(text.length() - 1) == text.charAt(0);
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
