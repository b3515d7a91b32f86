package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The selectors of {@code fieldSelector=}: {@code a.b=c}, {@code a.b==c}, {@code a.b!=c}. */
public record FieldSelector(List<Term> terms) {

    /** One comparison of the field at a path of properties. */
    public record Term(List<String> path, boolean equal, String value) {
        public String field() {
            return String.join(".", path);
        }
    }

    /**
     * @throws IllegalArgumentException with what is wrong
     */
    public static FieldSelector parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            if (term.isBlank()) {
                continue;
            }
            int not = term.indexOf("!=");
            int at = not >= 0 ? not : term.indexOf('=');
            if (at <= 0) {
                throw new IllegalArgumentException(
                        "invalid field selector: '" + text + "'; can't understand '" + term + "'");
            }
            int skip = not >= 0 || term.startsWith("==", at) ? 2 : 1;
            String field = term.substring(0, at).strip();
            terms.add(
                    new Term(
                            List.of(field.split("\\.", -1)),
                            not < 0,
                            term.substring(at + skip).strip()));
        }
        return new FieldSelector(List.copyOf(terms));
    }

    /** The value that a field must have; null when it is not pinned. */
    public @Nullable String pinned(String field) {
        for (Term term : terms) {
            if (term.equal() && term.field().equals(field)) {
                return term.value();
            }
        }
        return null;
    }

    /** A field that everything selected has with one value; null when there is none. */
    public @Nullable Interest interest() {
        for (Term term : terms) {
            if (term.equal() && !term.value().isEmpty() && !term.value().equals("false")) {
                return new Interest(term.path(), term.value());
            }
        }
        return null;
    }

    public Predicate<JsonNode> predicate() {
        return tree -> {
            for (Term term : terms) {
                if (textAt(tree, term.path()).equals(term.value()) != term.equal()) {
                    return false;
                }
            }
            return true;
        };
    }

    /** A field that is not there counts as its zero value: no text, or {@code false}. */
    private static String textAt(JsonNode tree, List<String> path) {
        JsonNode at = tree;
        for (String step : path) {
            at = at.path(step);
        }
        if (at.isMissingNode() || at.isNull() || at.isContainer()) {
            return path.getLast().equals("unschedulable") || path.getLast().equals("hostNetwork")
                    ? "false"
                    : "";
        }
        return at.asString("");
    }
}
