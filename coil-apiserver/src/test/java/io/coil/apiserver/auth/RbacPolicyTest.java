package io.coil.apiserver.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;

class RbacPolicyTest {
    private static final Identity ANN = Identity.of("ann", List.of("readers"));
    private static final Identity ACCOUNT = Identity.of("system:serviceaccount:ns:sa", List.of());

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    private static Attributes asks(
            Identity who,
            String verb,
            String resource,
            @Nullable String subresource,
            @Nullable String namespace,
            @Nullable String name) {
        return new Attributes(who, verb, "g", resource, subresource, namespace, name, null);
    }

    private static final RbacPolicy POLICY =
            new RbacPolicy(
                    List.of(
                            json(
                                    """
                                    {"metadata": {"name": "read"}, "rules": [
                                     {"apiGroups": ["g"], "resources": ["things", "*/scale"],
                                      "verbs": ["get", "list"]},
                                     {"nonResourceURLs": ["/logs/*", "/version"], "verbs": ["get"]}]}
                                    """)),
                    List.of(
                            json(
                                    """
                                    {"metadata": {"name": "write", "namespace": "ns"}, "rules": [
                                     {"apiGroups": ["g"], "resources": ["things"],
                                      "resourceNames": ["mine"], "verbs": ["*"]}]}
                                    """)),
                    List.of(
                            json(
                                    """
                                    {"metadata": {"name": "b"}, "roleRef": {"kind": "ClusterRole",
                                     "name": "read"}, "subjects": [{"kind": "Group",
                                     "name": "readers"}]}
                                    """)),
                    List.of(
                            json(
                                    """
                                    {"metadata": {"name": "b", "namespace": "ns"}, "roleRef": {
                                     "kind": "Role", "name": "write"}, "subjects": [
                                     {"kind": "ServiceAccount", "name": "sa"}]}
                                    """),
                            json(
                                    """
                                    {"metadata": {"name": "c", "namespace": "ns"}, "roleRef": {
                                     "kind": "ClusterRole", "name": "read"}, "subjects": [
                                     {"kind": "User", "name": "system:serviceaccount:ns:sa"}]}
                                    """)));

    @Test
    void aClusterBindingHoldsEverywhere() {
        assertThat(POLICY.allows(asks(ANN, "get", "things", null, null, "x"))).isTrue();
        assertThat(POLICY.allows(asks(ANN, "list", "things", null, "ns", null))).isTrue();
        assertThat(POLICY.allows(asks(ANN, "watch", "things", null, null, null))).isFalse();
        assertThat(POLICY.allows(asks(ANN, "get", "others", null, null, null))).isFalse();
    }

    @Test
    void aSubresourceNeedsItsOwnRule() {
        assertThat(POLICY.allows(asks(ANN, "get", "things", "status", null, "x"))).isFalse();
        assertThat(POLICY.allows(asks(ANN, "get", "others", "scale", null, "x"))).isTrue();
    }

    @Test
    void aRoleHoldsInItsNamespaceForItsNames() {
        assertThat(POLICY.allows(asks(ACCOUNT, "delete", "things", null, "ns", "mine"))).isTrue();
        assertThat(POLICY.allows(asks(ACCOUNT, "delete", "things", null, "ns", "yours"))).isFalse();
        assertThat(POLICY.allows(asks(ACCOUNT, "create", "things", null, "ns", null))).isFalse();
        assertThat(POLICY.allows(asks(ACCOUNT, "delete", "things", null, "other", "mine")))
                .isFalse();
    }

    @Test
    void aClusterRoleBoundInANamespaceHoldsThereOnly() {
        assertThat(POLICY.allows(asks(ACCOUNT, "list", "things", null, "ns", null))).isTrue();
        assertThat(POLICY.allows(asks(ACCOUNT, "list", "things", null, null, null))).isFalse();
    }

    @Test
    void pathsAreMatchedByPrefix() {
        assertThat(POLICY.allows(Attributes.ofPath(ANN, "get", "/logs/a/b"))).isTrue();
        assertThat(POLICY.allows(Attributes.ofPath(ANN, "get", "/version"))).isTrue();
        assertThat(POLICY.allows(Attributes.ofPath(ANN, "get", "/version/x"))).isFalse();
        assertThat(POLICY.allows(Attributes.ofPath(ANN, "post", "/logs/a"))).isFalse();
    }

    @Test
    void aRefusalIsWordedAsKubernetesDoes() {
        assertThat(
                        new Attributes(ANN, "delete", "g.io", "things", null, null, null, null)
                                .refusal())
                .isEqualTo(
                        "things.g.io is forbidden: User \"ann\" cannot delete resource \"things\" in"
                                + " API group \"g.io\" at the cluster scope");
        assertThat(new Attributes(ANN, "get", "", "pods", "log", "ns", "p", null).refusal())
                .isEqualTo(
                        "pods \"p\" is forbidden: User \"ann\" cannot get resource \"pods/log\" in"
                                + " API group \"\" in the namespace \"ns\"");
    }
}
