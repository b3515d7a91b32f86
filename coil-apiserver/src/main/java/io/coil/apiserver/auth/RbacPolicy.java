package io.coil.apiserver.auth;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stored roles and bindings as they were at one moment, ready to be asked. */
final class RbacPolicy {
    private record RoleKey(@Nullable String namespace, String name) {}

    /**
     * @param namespace null: holds everywhere
     */
    private record Binding(@Nullable String namespace, JsonNode subjects, List<PolicyRule> rules) {}

    private final List<Binding> bindings = new ArrayList<>();

    RbacPolicy(
            Collection<? extends JsonNode> clusterRoles,
            Collection<? extends JsonNode> roles,
            Collection<? extends JsonNode> clusterBindings,
            Collection<? extends JsonNode> roleBindings) {
        Map<RoleKey, List<PolicyRule>> known = new HashMap<>();
        clusterRoles.forEach(role -> known.put(new RoleKey(null, name(role)), rules(role)));
        roles.forEach(role -> known.put(new RoleKey(namespace(role), name(role)), rules(role)));
        clusterBindings.forEach(binding -> bind(null, binding, known));
        roleBindings.forEach(binding -> bind(namespace(binding), binding, known));
    }

    private void bind(
            @Nullable String namespace, JsonNode binding, Map<RoleKey, List<PolicyRule>> known) {
        JsonNode role = binding.path("roleRef");
        boolean local = role.path("kind").asString("").equals("Role");
        RoleKey key = new RoleKey(local ? namespace : null, role.path("name").asString(""));
        bindings.add(
                new Binding(
                        namespace, binding.path("subjects"), known.getOrDefault(key, List.of())));
    }

    boolean allows(Attributes asked) {
        for (Binding binding : bindings) {
            if (holdsIn(binding, asked.namespace())
                    && binding.rules().stream().anyMatch(rule -> rule.allows(asked))
                    && bound(binding, asked.identity())) {
                return true;
            }
        }
        return false;
    }

    List<PolicyRule> rulesFor(Identity identity, @Nullable String namespace) {
        return bindings.stream()
                .filter(binding -> holdsIn(binding, namespace) && bound(binding, identity))
                .flatMap(binding -> binding.rules().stream())
                .toList();
    }

    private static boolean holdsIn(Binding binding, @Nullable String namespace) {
        return binding.namespace() == null || binding.namespace().equals(namespace);
    }

    private static boolean bound(Binding binding, Identity identity) {
        return binding.subjects()
                .valueStream()
                .anyMatch(subject -> isSubject(subject, binding.namespace(), identity));
    }

    private static boolean isSubject(
            JsonNode subject, @Nullable String bindingNamespace, Identity identity) {
        String name = subject.path("name").asString("");
        return switch (subject.path("kind").asString("")) {
            case "User" -> name.equals(identity.name());
            case "Group" -> identity.groups().contains(name);
            case "ServiceAccount" -> {
                String fallback = bindingNamespace == null ? "" : bindingNamespace;
                String namespace = subject.path("namespace").asString(fallback);
                yield identity.name().equals("system:serviceaccount:" + namespace + ":" + name);
            }
            default -> false;
        };
    }

    private static List<PolicyRule> rules(JsonNode role) {
        return role.path("rules").valueStream().map(PolicyRule::of).toList();
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asString("");
    }

    private static String namespace(JsonNode object) {
        return object.path("metadata").path("namespace").asString("");
    }
}
