package io.coil.sandbox.cluster;

import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1NodeSelectorTerm;
import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Labels, selectors, taints and tolerations as Kubernetes reads them. */
final class Labels {
    private Labels() {}

    /** The selector's {@code matchLabels} in the syntax of a list call. */
    static String text(V1LabelSelector selector) {
        Map<String, String> labels = selector.getMatchLabels();
        return labels == null
                ? ""
                : labels.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(","));
    }

    static boolean contains(
            @Nullable Map<String, String> labels, @Nullable Map<String, String> wanted) {
        if (wanted == null || wanted.isEmpty()) {
            return true;
        }
        return labels != null && labels.entrySet().containsAll(wanted.entrySet());
    }

    /** Whether one term of required node affinity holds; the operators that people use. */
    static boolean matches(V1NodeSelectorTerm term, Map<String, String> labels, String nodeName) {
        boolean byLabels =
                term.getMatchExpressions() == null
                        || term.getMatchExpressions().stream()
                                .allMatch(
                                        e ->
                                                matches(
                                                        e.getOperator(),
                                                        e.getValues(),
                                                        labels.get(e.getKey())));
        boolean byFields =
                term.getMatchFields() == null
                        || term.getMatchFields().stream()
                                .allMatch(e -> matches(e.getOperator(), e.getValues(), nodeName));
        return byLabels && byFields;
    }

    private static boolean matches(
            String operator, @Nullable List<String> values, @Nullable String value) {
        List<String> given = values == null ? List.of() : values;
        return switch (operator) {
            case "In" -> value != null && given.contains(value);
            case "NotIn" -> value == null || !given.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }

    /** Whether no taint that keeps pods away is left untolerated. */
    static boolean tolerated(
            @Nullable List<V1Taint> taints, @Nullable List<V1Toleration> tolerations) {
        return taints == null
                || taints.stream()
                        .filter(t -> !Objects.equals(t.getEffect(), "PreferNoSchedule"))
                        .allMatch(t -> tolerated(t, tolerations));
    }

    private static boolean tolerated(V1Taint taint, @Nullable List<V1Toleration> tolerations) {
        return tolerations != null
                && tolerations.stream()
                        .anyMatch(
                                t ->
                                        (blank(t.getEffect())
                                                        || t.getEffect().equals(taint.getEffect()))
                                                && (blank(t.getKey())
                                                        || t.getKey().equals(taint.getKey()))
                                                && ("Exists".equals(t.getOperator())
                                                        || Objects.equals(
                                                                empty(t.getValue()),
                                                                empty(taint.getValue()))));
    }

    private static boolean blank(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static String empty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
