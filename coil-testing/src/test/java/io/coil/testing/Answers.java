package io.coil.testing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Answers without what is different at every call, and where two of them differ. */
final class Answers {
    private static final Pattern UID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME =
            Pattern.compile("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern AGE = Pattern.compile("\\d+s");
    private static final Pattern MADE_UP = Pattern.compile("(made-)[0-9a-z]+");
    private static final Set<String> VERSIONS = Set.of("resourceVersion", "continue");

    private Answers() {}

    static JsonNode normal(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                object.remove("managedFields");
                for (String name : List.copyOf(object.propertyNames())) {
                    JsonNode value = object.path(name);
                    object.set(
                            name,
                            VERSIONS.contains(name) && value.isString()
                                    ? StringNode.valueOf("<" + name + ">")
                                    : normal(value));
                }
                yield object;
            }
            case StringNode text -> StringNode.valueOf(normal(text.stringValue()));
            default -> {
                if (node.isArray()) {
                    for (int i = 0; i < node.size(); i++) {
                        ((ArrayNode) node).set(i, normal(node.get(i)));
                    }
                }
                yield node;
            }
        };
    }

    private static String normal(String text) {
        String normal = UID.matcher(text).replaceAll("<uid>");
        normal = TIME.matcher(normal).replaceAll("<time>");
        normal = MADE_UP.matcher(normal).replaceAll("$1<random>");
        return AGE.matcher(normal).matches() ? "<age>" : normal;
    }

    /** JSON pointers of all that is not the same, with both values. */
    static Map<String, String> differences(JsonNode ours, JsonNode real) {
        TreeMap<String, String> found = new TreeMap<>();
        compare("", ours, real, found);
        return found;
    }

    private static void compare(
            String at, JsonNode ours, JsonNode real, Map<String, String> found) {
        if (ours.isObject() && real.isObject()) {
            Set<String> names = new TreeSet<>(ours.propertyNames());
            names.addAll(real.propertyNames());
            names.forEach(n -> compare(at + "/" + n, ours.path(n), real.path(n), found));
        } else if (ours.isArray() && real.isArray() && ours.size() == real.size()) {
            for (int i = 0; i < ours.size(); i++) {
                compare(at + "/" + i, ours.get(i), real.get(i), found);
            }
        } else if (!ours.equals(real)) {
            found.put(at, "ours: %s, real: %s".formatted(shown(ours), shown(real)));
        }
    }

    private static String shown(JsonNode node) {
        return node.isMissingNode() ? "nothing" : node.toString();
    }

    /** What is not explained, and explanations of what is the same by now. */
    static List<String> unexplained(
            Step step, Everywhere everywhere, JsonNode ours, JsonNode real) {
        Map<String, String> found = differences(ours, real);
        List<String> wrong = new ArrayList<>();
        Set<String> used = new TreeSet<>();
        found.forEach(
                (at, what) -> {
                    List<String> covering =
                            step.differs().keySet().stream().filter(d -> covers(d, at)).toList();
                    used.addAll(covering);
                    if (covering.isEmpty() && !everywhere.covers(at)) {
                        wrong.add("%s: %s %s".formatted(step.name(), at, what));
                    }
                });
        step.differs().keySet().stream()
                .filter(d -> !used.contains(d))
                .forEach(d -> wrong.add("%s: %s does not differ".formatted(step.name(), d)));
        return wrong;
    }

    private static boolean covers(String pattern, String at) {
        return pattern.endsWith("/*")
                ? at.startsWith(pattern.substring(0, pattern.length() - 1))
                : at.equals(pattern);
    }
}
