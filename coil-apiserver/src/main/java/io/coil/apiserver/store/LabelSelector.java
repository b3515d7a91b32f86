package io.coil.apiserver.store;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The selectors of {@code labelSelector=}: {@code a=b}, {@code a==b}, {@code a!=b}, {@code a in
 * (b,c)}, {@code a notin (b,c)}, {@code a}, {@code !a}, {@code a>1}, {@code a<1}, joined by commas.
 * The predicate takes {@code metadata.labels}, which may be missing.
 */
public final class LabelSelector {
    private static final String KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
    private static final Pattern TERM =
            Pattern.compile(
                    "\\s*(?:(?<absent>!)\\s*(?<not>KEY)|(?<key>KEY)\\s*(?:(?<op>==|=|!=|<|>)\\s*(?<value>[-A-Za-z0-9_.]*)|(?<set>in|notin)\\s*\\((?<values>[^()]*)\\))?)\\s*"
                            .replace("KEY", KEY));

    private LabelSelector() {}

    /**
     * @throws IllegalArgumentException with what is wrong
     */
    public static Predicate<JsonNode> parse(String text) {
        List<Predicate<JsonNode>> terms = new ArrayList<>();
        Matcher matcher = TERM.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException(
                        "unable to parse requirement: \"" + text.substring(at).strip() + "\"");
            }
            terms.add(term(matcher));
            at = matcher.end();
            if (at < text.length()) {
                if (text.charAt(at) != ',' || at == text.length() - 1) {
                    throw new IllegalArgumentException(
                            "unable to parse requirement: found \"" + text.substring(at) + "\"");
                }
                at++;
            }
        }
        return labels -> {
            for (Predicate<JsonNode> term : terms) {
                if (!term.test(labels)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static Predicate<JsonNode> term(Matcher matcher) {
        if (matcher.group("absent") != null) {
            String key = matcher.group("not");
            return labels -> !labels.has(key);
        }
        String key = matcher.group("key");
        if (matcher.group("set") != null) {
            Set<String> values = values(matcher.group("values"));
            boolean in = matcher.group("set").equals("in");
            return in
                    ? labels -> labels.has(key) && values.contains(value(labels, key))
                    : labels -> !labels.has(key) || !values.contains(value(labels, key));
        }
        String operator = matcher.group("op");
        if (operator == null) {
            return labels -> labels.has(key);
        }
        String value = matcher.group("value");
        return switch (operator) {
            case "!=" -> labels -> !value(labels, key).equals(value) || !labels.has(key);
            case "<", ">" -> comparison(key, operator, value);
            default -> labels -> labels.has(key) && value(labels, key).equals(value);
        };
    }

    private static Predicate<JsonNode> comparison(String key, String operator, String value) {
        long bound;
        try {
            bound = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "for 'Gt', 'Lt' operators, the value must be an integer", e);
        }
        return labels -> {
            try {
                long actual = Long.parseLong(value(labels, key));
                return operator.equals("<") ? actual < bound : actual > bound;
            } catch (NumberFormatException e) {
                return false;
            }
        };
    }

    private static String value(JsonNode labels, String key) {
        return labels.path(key).stringValue("");
    }

    private static Set<String> values(String list) {
        List<String> values = new ArrayList<>();
        for (String value : list.split(",", -1)) {
            values.add(value.strip());
        }
        return Set.copyOf(new java.util.HashSet<>(values));
    }
}
