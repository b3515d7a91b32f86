package io.coil.apiserver.auth;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** A rule of an RBAC role. */
public record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {

    private static final List<String> ANY = List.of("*");
    static final PolicyRule EVERYTHING = new PolicyRule(ANY, ANY, ANY, List.of(), List.of());
    static final PolicyRule EVERY_PATH = new PolicyRule(ANY, List.of(), List.of(), List.of(), ANY);

    static PolicyRule of(JsonNode rule) {
        return new PolicyRule(
                strings(rule.path("verbs")),
                strings(rule.path("apiGroups")),
                strings(rule.path("resources")),
                strings(rule.path("resourceNames")),
                strings(rule.path("nonResourceURLs")));
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(value -> value.asString("")).toList();
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object();
        put(json, "verbs", verbs);
        put(json, "apiGroups", apiGroups);
        put(json, "resources", resources);
        put(json, "resourceNames", resourceNames);
        put(json, "nonResourceURLs", nonResourceUrls);
        return json;
    }

    private static void put(ObjectNode json, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(json.putArray(field)::add);
        }
    }

    boolean allows(Attributes asked) {
        if (!has(verbs, asked.verb())) {
            return false;
        }
        String path = asked.path();
        return path != null
                ? nonResourceUrls.stream().anyMatch(p -> covers(p, path))
                : allowsResource(asked);
    }

    private boolean allowsResource(Attributes asked) {
        String name = asked.name();
        return has(apiGroups, asked.group())
                && resources.stream().anyMatch(pattern -> resourceMatches(pattern, asked))
                && (resourceNames.isEmpty() || (name != null && resourceNames.contains(name)));
    }

    private static boolean resourceMatches(String pattern, Attributes asked) {
        return pattern.equals("*")
                || pattern.equals(asked.resourceWithSubresource())
                || (asked.subresource() != null && pattern.equals("*/" + asked.subresource()));
    }

    private static boolean covers(String pattern, String path) {
        return pattern.endsWith("*")
                ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(path);
    }

    private static boolean has(List<String> values, String wanted) {
        return values.contains("*") || values.contains(wanted);
    }
}
