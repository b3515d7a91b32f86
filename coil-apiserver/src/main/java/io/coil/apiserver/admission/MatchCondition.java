package io.coil.apiserver.admission;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition of a webhook: whether it is asked about a request at all. Of the language that
 * Kubernetes has for it (CEL) what such conditions need: {@code object}, {@code oldObject} and
 * {@code request}, their fields and keys, {@code has()}, {@code in}, {@code == != && || !},
 * parentheses, texts, {@code null}, {@code true}, {@code false}.
 *
 * <p>As there, a field that is absent is an error, and {@code false && error} is false.
 */
final class MatchCondition {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\s*(?:(?<text>'[^']*'|\"[^\"]*\")|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>==|!=|&&|\\|\\||[!().\\[\\]]))");

    private final String name;
    private final Function<JsonNode, JsonNode> expression;

    private MatchCondition(String name, Function<JsonNode, JsonNode> expression) {
        this.name = name;
        this.expression = expression;
    }

    /** Thrown where there is no value: what the language calls an error. */
    static final class NoValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoValue(String message) {
            super(message);
        }
    }

    /** Throws {@link NoValue} for an expression that is not understood. */
    static MatchCondition parse(String name, String expression) {
        Parser parser = new Parser(tokens(expression));
        Function<JsonNode, JsonNode> parsed = parser.either();
        parser.expectEnd();
        return new MatchCondition(name, parsed);
    }

    /** {@code variables} has object, oldObject and request; throws {@link NoValue}. */
    boolean holds(ObjectNode variables) {
        JsonNode value = expression.apply(variables);
        if (!value.isBoolean()) {
            throw new NoValue("the condition " + name + " is neither true nor false");
        }
        return value.asBoolean();
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text.strip());
        int at = 0;
        while (at < matcher.regionEnd()) {
            if (!matcher.region(at, matcher.regionEnd()).lookingAt()) {
                throw new NoValue("not understood: " + text.strip().substring(at));
            }
            tokens.add(matcher.group().strip());
            at = matcher.end();
        }
        return tokens;
    }

    private static final class Parser {
        private final List<String> tokens;
        private int at;

        Parser(List<String> tokens) {
            this.tokens = tokens;
        }

        Function<JsonNode, JsonNode> either() {
            Function<JsonNode, JsonNode> left = both();
            while (take("||")) {
                Function<JsonNode, JsonNode> a = left;
                Function<JsonNode, JsonNode> b = both();
                left = variables -> decided(a, b, variables, true);
            }
            return left;
        }

        private Function<JsonNode, JsonNode> both() {
            Function<JsonNode, JsonNode> left = relation();
            while (take("&&")) {
                Function<JsonNode, JsonNode> a = left;
                Function<JsonNode, JsonNode> b = relation();
                left = variables -> decided(a, b, variables, false);
            }
            return left;
        }

        private Function<JsonNode, JsonNode> relation() {
            Function<JsonNode, JsonNode> left = not();
            if (take("==")) {
                Function<JsonNode, JsonNode> right = not();
                return v -> truth(left.apply(v).equals(right.apply(v)));
            }
            if (take("!=")) {
                Function<JsonNode, JsonNode> right = not();
                return v -> truth(!left.apply(v).equals(right.apply(v)));
            }
            if (take("in")) {
                Function<JsonNode, JsonNode> right = not();
                return v -> truth(right.apply(v).has(left.apply(v).asString()));
            }
            return left;
        }

        private Function<JsonNode, JsonNode> not() {
            if (take("!")) {
                Function<JsonNode, JsonNode> negated = not();
                return v -> truth(!bool(negated.apply(v)));
            }
            return member();
        }

        private Function<JsonNode, JsonNode> member() {
            Function<JsonNode, JsonNode> value = primary();
            while (true) {
                Function<JsonNode, JsonNode> of = value;
                if (take(".")) {
                    String field = next();
                    value = v -> field(of.apply(v), field);
                } else if (take("[")) {
                    String key = unquoted(next());
                    expect("]");
                    value = v -> field(of.apply(v), key);
                } else {
                    return value;
                }
            }
        }

        private Function<JsonNode, JsonNode> primary() {
            String token = next();
            return switch (token) {
                case "(" -> {
                    Function<JsonNode, JsonNode> inner = either();
                    expect(")");
                    yield inner;
                }
                case "has" -> {
                    expect("(");
                    Function<JsonNode, JsonNode> path = member();
                    expect(")");
                    yield v -> truth(exists(path, v));
                }
                case "true", "false" -> v -> truth(token.equals("true"));
                case "null" -> v -> NullNode.getInstance();
                case "object", "oldObject", "request" -> v -> field(v, token);
                default -> {
                    StringNode text = StringNode.valueOf(unquoted(token));
                    yield v -> text;
                }
            };
        }

        private boolean take(String token) {
            if (at < tokens.size() && tokens.get(at).equals(token)) {
                at++;
                return true;
            }
            return false;
        }

        private String next() {
            if (at == tokens.size()) {
                throw new NoValue("the expression ends too early");
            }
            return tokens.get(at++);
        }

        private void expect(String token) {
            String found = next();
            if (!found.equals(token)) {
                throw new NoValue("expected " + token + ", found " + found);
            }
        }

        void expectEnd() {
            if (at != tokens.size()) {
                throw new NoValue("not understood: " + tokens.get(at));
            }
        }

        private static String unquoted(String token) {
            if (token.length() < 2 || (token.charAt(0) != '\'' && token.charAt(0) != '"')) {
                throw new NoValue("not understood: " + token);
            }
            return token.substring(1, token.length() - 1);
        }
    }

    /** {@code by} decides alone, whatever becomes of the other side. */
    private static JsonNode decided(
            Function<JsonNode, JsonNode> a,
            Function<JsonNode, JsonNode> b,
            JsonNode variables,
            boolean by) {
        boolean first;
        try {
            first = bool(a.apply(variables));
        } catch (NoValue e) {
            if (bool(b.apply(variables)) == by) {
                return truth(by);
            }
            throw e;
        }
        return truth(first == by ? by : bool(b.apply(variables)));
    }

    private static boolean exists(Function<JsonNode, JsonNode> path, JsonNode variables) {
        try {
            return !path.apply(variables).isNull();
        } catch (NoValue e) {
            return false;
        }
    }

    private static JsonNode field(JsonNode of, String name) {
        JsonNode value = of.get(name);
        if (value == null) {
            throw new NoValue("no such key: " + name);
        }
        return value;
    }

    private static boolean bool(JsonNode value) {
        if (!value.isBoolean()) {
            throw new NoValue("neither true nor false: " + value);
        }
        return value.asBoolean();
    }

    private static JsonNode truth(boolean value) {
        return BooleanNode.valueOf(value);
    }
}
