package io.coil.apiserver.auth;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * The roles that are there from the start: all for administrators, reading for viewers, discovery
 * for everybody who is known, health for everybody.
 */
public final class BuiltInRoles {
    private BuiltInRoles() {}

    /**
     * @param customGroups whose resources viewers may see
     */
    public static List<ObjectNode> clusterRoles(List<String> customGroups) {
        List<ObjectNode> roles = fixed();
        ObjectNode rule = Json.object();
        rule.set("apiGroups", Json.array(customGroups));
        rule.putArray("resources").add("*");
        rule.set("verbs", Json.array(List.of("get", "list", "watch")));
        roles.get(1).withArrayProperty("rules").add(rule);
        return roles;
    }

    private static List<ObjectNode> fixed() {
        return List.of(
                parse(
                        """
                        {"metadata": {"name": "cluster-admin"}, "rules": [
                          {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
                          {"nonResourceURLs": ["*"], "verbs": ["*"]}]}
                        """),
                // Everything but secrets and tokens: a viewer must not become somebody else.
                parse(
                        """
                        {"metadata": {"name": "view"}, "rules": [
                          {"apiGroups": [""], "verbs": ["get", "list", "watch"], "resources": [
                            "bindings", "configmaps", "endpoints", "events", "limitranges",
                            "namespaces", "namespaces/status", "nodes", "nodes/status",
                            "persistentvolumeclaims", "persistentvolumes", "pods", "pods/log",
                            "pods/status", "podtemplates", "replicationcontrollers",
                            "resourcequotas", "serviceaccounts", "services", "services/status"]},
                          {"apiGroups": ["apps", "batch", "autoscaling", "policy",
                              "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
                              "networking.k8s.io", "apiextensions.k8s.io"],
                            "resources": ["*"], "verbs": ["get", "list", "watch"]},
                          {"apiGroups": ["rbac.authorization.k8s.io",
                              "admissionregistration.k8s.io"],
                            "resources": ["*"], "verbs": ["get", "list", "watch"]}]}
                        """),
                parse(
                        """
                        {"metadata": {"name": "system:discovery"}, "rules": [
                          {"verbs": ["get"], "nonResourceURLs": ["/api", "/api/*", "/apis",
                            "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz",
                            "/version", "/version/"]}]}
                        """),
                parse(
                        """
                        {"metadata": {"name": "system:basic-user"}, "rules": [
                          {"verbs": ["create"], "apiGroups": ["authorization.k8s.io"],
                            "resources": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]},
                          {"verbs": ["create"], "apiGroups": ["authentication.k8s.io"],
                            "resources": ["selfsubjectreviews"]}]}
                        """),
                parse(
                        """
                        {"metadata": {"name": "system:public-info-viewer"}, "rules": [
                          {"verbs": ["get"], "nonResourceURLs": ["/healthz", "/livez", "/readyz",
                            "/version", "/version/"]}]}
                        """));
    }

    public static List<ObjectNode> clusterRoleBindings() {
        return List.of(
                binding("cluster-admin", "cluster-admin", "Group", Identity.MASTERS),
                binding("view", "view", "User", Identity.viewer().name()),
                binding("system:discovery", "system:discovery", "Group", Identity.AUTHENTICATED),
                binding("system:basic-user", "system:basic-user", "Group", Identity.AUTHENTICATED),
                binding(
                        "system:public-info-viewer",
                        "system:public-info-viewer",
                        "Group",
                        Identity.ANONYMOUS.groups().getFirst()));
    }

    private static ObjectNode binding(String name, String role, String subject, String who) {
        ObjectNode binding = Json.object();
        binding.putObject("metadata").put("name", name);
        binding.putObject("roleRef")
                .put("apiGroup", RbacAuthorizer.GROUP)
                .put("kind", "ClusterRole")
                .put("name", role);
        binding.putArray("subjects")
                .addObject()
                .put("apiGroup", RbacAuthorizer.GROUP)
                .put("kind", subject)
                .put("name", who);
        return binding;
    }

    private static ObjectNode parse(String json) {
        return Json.MAPPER.readTree(json).asObject();
    }
}
