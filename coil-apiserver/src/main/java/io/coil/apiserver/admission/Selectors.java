package io.coil.apiserver.admission;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Label selectors in their JSON form: {@code matchLabels} and {@code matchExpressions}. */
final class Selectors {
    private Selectors() {}

    /** An empty or missing selector takes everything. */
    static Predicate<JsonNode> of(JsonNode selector) {
        List<Predicate<JsonNode>> terms = new ArrayList<>();
        for (var label : selector.path("matchLabels").properties()) {
            String value = label.getValue().asString("");
            terms.add(labels -> value.equals(labels.path(label.getKey()).asString(null)));
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            terms.add(term(expression));
        }
        return labels -> terms.stream().allMatch(t -> t.test(labels));
    }

    private static Predicate<JsonNode> term(JsonNode expression) {
        String key = expression.path("key").asString("");
        List<String> values = Json.texts(expression.path("values"));
        return switch (expression.path("operator").asString("")) {
            case "In" -> labels -> labels.has(key) && values.contains(text(labels, key));
            case "NotIn" -> labels -> !labels.has(key) || !values.contains(text(labels, key));
            case "Exists" -> labels -> labels.has(key);
            case "DoesNotExist" -> labels -> !labels.has(key);
            default -> labels -> false;
        };
    }

    private static String text(JsonNode labels, String key) {
        return labels.path(key).asString("");
    }
}
