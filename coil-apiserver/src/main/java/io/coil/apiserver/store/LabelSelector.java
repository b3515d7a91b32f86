package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

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
public final class LabelSelector implements Predicate<JsonNode> {
    private static final String KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
    private static final int LONGEST_VALUE = 63;
    private static final Pattern TERM =
            Pattern.compile(
                    "\\s*(?:(?<absent>!)\\s*(?<not>KEY)|(?<key>KEY)\\s*(?:(?<op>==|=|!=|<|>)\\s*(?<value>[-A-Za-z0-9_.]*)|(?<set>in|notin)\\s*\\((?<values>[^()]*)\\))?)\\s*"
                            .replace("KEY", KEY));

    private final List<Predicate<JsonNode>> terms;
    private final @Nullable Interest interest;

    private LabelSelector(List<Predicate<JsonNode>> terms, @Nullable Interest interest) {
        this.terms = terms;
        this.interest = interest;
    }

    /** A label that everything selected has with one value; null when there is none. */
    public @Nullable Interest interest() {
        return interest;
    }

    @Override
    public boolean test(JsonNode labels) {
        for (Predicate<JsonNode> term : terms) {
            if (!term.test(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * @throws IllegalArgumentException with what is wrong
     */
    public static LabelSelector parse(String text) {
        List<Predicate<JsonNode>> terms = new ArrayList<>();
        @Nullable Interest interest = null;
        Matcher matcher = TERM.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new IllegalArgumentException(
                        "unable to parse requirement: \"" + text.substring(at).strip() + "\"");
            }
            terms.add(term(matcher));
            @Nullable String value = matcher.group("value");
            if (value != null
                    && !value.isEmpty()
                    && matcher.group("op").endsWith("=")
                    && !matcher.group("op").startsWith("!")) {
                interest = Interest.label(matcher.group("key"), value);
            }
            at = matcher.end();
            if (at < text.length()) {
                if (text.charAt(at) != ',' || at == text.length() - 1) {
                    throw new IllegalArgumentException(
                            "unable to parse requirement: found \"" + text.substring(at) + "\"");
                }
                at++;
            }
        }
        return new LabelSelector(List.copyOf(terms), interest);
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
        if (value.length() > LONGEST_VALUE) {
            throw new IllegalArgumentException(
                    "unable to parse requirement: values[0][%s]: Invalid value: \"%s\": must be no more than %d bytes"
                            .formatted(key, value, LONGEST_VALUE));
        }
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
