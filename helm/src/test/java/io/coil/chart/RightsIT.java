package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Scenario I6: rendered RBAC has no wildcard, no secrets beyond the webhook's own, and no right
 * that nobody uses.
 */
class RightsIT {
    private static final Set<String> READ = Set.of("get", "list", "watch");

    private static RenderedChart chart = new RenderedChart(List.of());

    @BeforeAll
    static void render() {
        chart = RenderedChart.with(Map.of());
    }

    @Test
    void noWildcardAndNoSecretsBeyondTheWebhooksOwn() {
        List<Node> rules =
                chart.ofKind("ClusterRole", "Role").flatMap(r -> r.items("rules")).toList();

        assertThat(rules)
                .isNotEmpty()
                .allSatisfy(
                        rule -> {
                            assertThat(rule.has("nonResourceURLs")).isFalse();
                            assertThat(rule.texts("apiGroups")).doesNotContain("*");
                            assertThat(rule.texts("resources"))
                                    .noneMatch(r -> r.contains("*"))
                                    .doesNotContain("configmaps");
                            if (rule.texts("resources").contains("secrets")) {
                                assertThat(rule.texts("resourceNames"))
                                        .containsExactly("coil-webhook-tls");
                                assertThat(rule.texts("verbs")).containsExactly("get", "update");
                            }
                            assertThat(rule.texts("verbs"))
                                    .doesNotContain("*", "escalate", "bind", "impersonate");
                        });
    }

    @Test
    void whoeverIsBoundHasAnAccountHere() {
        List<String> accounts =
                chart.ofKind("ServiceAccount").map(a -> a.text("metadata", "name")).toList();

        assertThat(chart.ofKind("ClusterRoleBinding", "RoleBinding"))
                .hasSize(7)
                .allSatisfy(
                        binding -> {
                            assertThat(
                                            binding.items("subjects")
                                                    .filter(
                                                            s ->
                                                                    s.text("namespace")
                                                                            .equals(
                                                                                    RenderedChart
                                                                                            .NAMESPACE))
                                                    .map(s -> s.text("name")))
                                    .hasSize(1)
                                    .isSubsetOf(accounts);
                            chart.the(
                                    binding.text("roleRef", "kind"),
                                    binding.text("roleRef", "name"));
                        });
    }

    @Test
    void withASecretOfSomebodyElseThereIsNoRightOnSecretsAtAll() {
        RenderedChart theirs =
                RenderedChart.with(Map.of("webhook.certificate.secretName", "theirs"));

        assertThat(theirs.ofKind("ClusterRole", "Role").flatMap(r -> r.items("rules")))
                .noneMatch(r -> r.texts("resources").contains("secrets"))
                .noneMatch(r -> r.texts("apiGroups").contains("admissionregistration.k8s.io"));
    }

    @Test
    void onlyTheControllerMakesBlocks() {
        assertThat(mayDo("coil-controller", "addressblocks")).contains("create", "delete");
        assertThat(mayDo("coil-agent", "addressblocks"))
                .contains("delete")
                .doesNotContain("create");
        assertThat(mayDo("coil-admin", "addressblocks")).isSubsetOf(READ);
    }

    @Test
    void onlyTheAgentAsksAndReports() {
        assertThat(mayDo("coil-agent", "blockrequests")).contains("create");
        assertThat(mayDo("coil-agent", "blockrequests/status")).isEmpty();
        assertThat(mayDo("coil-agent", "nodeblockusages")).contains("create", "update");
        assertThat(mayDo("coil-controller", "blockrequests")).doesNotContain("create");
        assertThat(mayDo("coil-controller", "nodeblockusages")).isSubsetOf(READ);
    }

    @Test
    void theAdminApplicationOnlyReadsWhatItShows() {
        for (String resource :
                List.of(
                        "addresspools",
                        "blockrequests",
                        "nodeblockusages",
                        "garbagecollections",
                        "nodes",
                        "pods")) {
            assertThat(mayDo("coil-admin", resource)).as(resource).isSubsetOf(READ).isNotEmpty();
        }
        assertThat(mayDo("coil-admin", "tokenreviews")).containsExactly("create");
    }

    @Test
    void theLeaseIsTheOneThatCoilTakes() {
        Node role = chart.the("Role", "coil-controller-leader");

        assertThat(role.text("metadata", "namespace")).isEqualTo("kube-system");
        assertThat(
                        role.items("rules")
                                .filter(r -> r.texts("verbs").contains("update"))
                                .flatMap(r -> r.texts("resourceNames").stream()))
                .containsExactly("coil-ipam-leader");
        Node agents = chart.the("Role", "coil-agent-leader");
        assertThat(agents.text("metadata", "namespace")).isEqualTo("kube-system");
        assertThat(agents.items("rules"))
                .singleElement()
                .satisfies(
                        r -> {
                            assertThat(r.texts("resourceNames"))
                                    .containsExactly("coil-ipam-leader");
                            assertThat(r.texts("verbs")).containsExactly("get");
                        });
    }

    private static Set<String> mayDo(String role, String resource) {
        Set<String> verbs = new TreeSet<>();
        chart.the("ClusterRole", role)
                .items("rules")
                .filter(rule -> rule.texts("resources").contains(resource))
                .forEach(rule -> verbs.addAll(rule.texts("verbs")));
        return verbs;
    }
}
