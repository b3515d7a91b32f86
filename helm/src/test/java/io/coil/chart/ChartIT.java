package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The chart as Helm renders it, with the values that people are likely to change. */
class ChartIT {
    private static final Set<String> COMPONENTS_OF_COIL_V2 =
            Set.of("coild", "coil-ipam-controller", "coil-router", "coil-egress-controller");

    static Stream<Map<String, ?>> values() {
        return Stream.of(
                Map.of(),
                Map.of("image.registry", "registry.example.org/coil/", "image.tag", "1.2.3"),
                Map.of("controller.replicas", 3, "controller.ports.webhook", 19443),
                Map.of("controller.settings.coil\\.controller\\.node-grace", "5m"),
                Map.of("agent.stateDir", "/srv/coil"),
                Map.of("agent.affinity.nodeAffinity.x", "y", "agent.maxUnavailable", 2),
                Map.of("webhook.enabled", false),
                Map.of(
                        "webhook.certificate.secretName",
                        "theirs",
                        "webhook.certificate.caBundle",
                        "Y2E="),
                Map.of("controller.enabled", false, "admin.enabled", false),
                Map.of("agent.enabled", false, "roles.enabled", false),
                Map.of("commonLabels.team", "network", "image.pullSecrets[0].name", "registry"));
    }

    @Test
    void helmHasNothingToSayAgainstIt() {
        LintResult result = new Helm(RenderedChart.CHART).lint().strict().call();

        assertThat(result.isFailed()).as(() -> String.join("\n", result.getMessages())).isFalse();
    }

    @ParameterizedTest
    @MethodSource("values")
    void everyDocumentHasWhatKubernetesAsksOfIt(Map<String, ?> values) {
        RenderedChart chart = RenderedChart.with(values);

        assertThat(chart.documents())
                .allSatisfy(
                        document -> {
                            assertThat(document.text("apiVersion")).isNotBlank();
                            assertThat(document.text("kind")).isNotBlank();
                            assertThat(document.text("metadata", "name")).isNotBlank();
                        });
        assertThat(chart.documents().stream().map(ChartIT::identity)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("values")
    void selectorsMatchTheirPodsAndNobodyElses(Map<String, ?> values) {
        RenderedChart chart = RenderedChart.with(values);

        List<Node> workloads = chart.ofKind("Deployment", "DaemonSet").toList();
        for (Node workload : workloads) {
            Map<?, ?> selector = workload.map("spec", "selector", "matchLabels");
            assertThat(selects(selector, workload))
                    .as("%s selects its own pods", identity(workload))
                    .isTrue();
            assertThat(COMPONENTS_OF_COIL_V2)
                    .doesNotContain(
                            workload.at("spec", "selector", "matchLabels")
                                    .text("app.kubernetes.io/component"));
        }
        List<Map<?, ?>> selectors =
                Stream.concat(
                                chart.ofKind("Service").map(s -> s.map("spec", "selector")),
                                chart.ofKind("PodDisruptionBudget")
                                        .map(b -> b.map("spec", "selector", "matchLabels")))
                        .<Map<?, ?>>map(m -> m)
                        .toList();
        for (Map<?, ?> selector : selectors) {
            assertThat(workloads)
                    .filteredOn(workload -> selects(selector, workload))
                    .as("programs that %s selects", selector)
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("values")
    void portsThatAreReferredToByNameExist(Map<String, ?> values) {
        RenderedChart chart = RenderedChart.with(values);

        chart.ofKind("Deployment", "DaemonSet")
                .flatMap(w -> w.items("spec", "template", "spec", "containers"))
                .forEach(
                        container -> {
                            List<String> ports =
                                    container.items("ports").map(p -> p.text("name")).toList();
                            for (String probe :
                                    List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                                assertThat(ports)
                                        .contains(container.text(probe, "httpGet", "port"));
                            }
                        });
        chart.ofKind("Service")
                .forEach(
                        service ->
                                assertThat(portsOf(chart, service.map("spec", "selector")))
                                        .containsAll(
                                                service.items("spec", "ports")
                                                        .map(p -> p.text("targetPort"))
                                                        .toList()));
    }

    @ParameterizedTest
    @MethodSource("values")
    void volumesThatAreMountedExist(Map<String, ?> values) {
        RenderedChart.with(values)
                .ofKind("Deployment", "DaemonSet")
                .map(w -> w.at("spec", "template", "spec"))
                .forEach(
                        pod -> {
                            List<String> volumes =
                                    pod.items("volumes").map(v -> v.text("name")).toList();
                            List<String> mounted =
                                    pod.items("containers")
                                            .flatMap(c -> c.items("volumeMounts"))
                                            .map(m -> m.text("name"))
                                            .toList();
                            assertThat(mounted).containsExactlyInAnyOrderElementsOf(volumes);
                        });
    }

    @Test
    void onlyTheAgentHasRightsOnTheHost() {
        RenderedChart chart = RenderedChart.with(Map.of());

        for (String program : List.of("coil-controller", "coil-admin")) {
            Node security = security(chart.the("Deployment", program));
            assertThat(security.text("runAsNonRoot")).isEqualTo("true");
            assertThat(security.text("readOnlyRootFilesystem")).isEqualTo("true");
            assertThat(security.texts("capabilities", "drop")).containsExactly("ALL");
            assertThat(security.at("capabilities").has("add")).isFalse();
        }
        Node agent = security(chart.the("DaemonSet", "coil-agent"));
        assertThat(agent.has("privileged")).isFalse();
        assertThat(agent.texts("capabilities", "add")).containsExactly("NET_ADMIN", "SYS_ADMIN");
    }

    @Test
    void settingsOfTheUserWinAndTheOthersStay() {
        RenderedChart chart =
                RenderedChart.with(
                        Map.of(
                                "controller.settings.coil\\.controller\\.node-grace",
                                "5m",
                                "controller.settings.coil\\.controller\\.health-port",
                                "9999"));

        Node settings =
                RenderedChart.parse(settingsOf(chart.the("Deployment", "coil-controller")))
                        .getFirst();

        assertThat(settings.text("coil.controller.node-grace")).isEqualTo("5m");
        assertThat(settings.text("coil.controller.health-port")).isEqualTo("9999");
        assertThat(settings.text("coil.controller.metrics-port")).isEqualTo("9386");
    }

    @Test
    void settingsThatTheChartMakesAreInTheManual() throws IOException {
        StringBuilder pages = new StringBuilder();
        for (String program : List.of("controller", "agent", "admin")) {
            pages.append(Files.readString(Path.of("../docs/settings-" + program + ".md")));
        }

        List<String> made =
                RenderedChart.with(Map.of())
                        .ofKind("Deployment", "DaemonSet")
                        .flatMap(w -> w.items("spec", "template", "spec", "containers"))
                        .flatMap(c -> c.items("env"))
                        .filter(e -> e.text("name").equals("SPRING_APPLICATION_JSON"))
                        .flatMap(e -> RenderedChart.parse(e.text("value")).stream())
                        .flatMap(s -> s.map().keySet().stream())
                        .map(name -> "`" + name + "`")
                        .toList();

        assertThat(made).isNotEmpty().allMatch(name -> pages.indexOf(name) >= 0);
    }

    @Test
    void theControllersKeepTheCertificateOrSomebodyElseDoes() {
        RenderedChart own = RenderedChart.with(Map.of());
        assertThat(own.the("Secret", "coil-webhook-tls").has("data")).isFalse();
        assertThat(caBundles(own)).isEmpty();
        Node settings = settings(own);
        assertThat(settings.text("coil.controller.webhook-secret"))
                .isEqualTo(RenderedChart.NAMESPACE + "/coil-webhook-tls");
        assertThat(settings.text("coil.controller.webhook-host"))
                .isEqualTo("coil-webhook." + RenderedChart.NAMESPACE + ".svc");
        assertThat(own.ofKind("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"))
                .allSatisfy(
                        c ->
                                assertThat(c.text("metadata", "name"))
                                        .isEqualTo(
                                                settings.text(
                                                        "coil.controller.webhook-configurations")));

        RenderedChart theirs =
                RenderedChart.with(
                        Map.of(
                                "webhook.certificate.secretName",
                                "theirs",
                                "webhook.certificate.caBundle",
                                "Y2E="));
        assertThat(theirs.ofKind("Secret")).isEmpty();
        assertThat(caBundles(theirs)).hasSize(5).containsOnly("Y2E=");
        assertThat(
                        theirs.the("Deployment", "coil-controller")
                                .items("spec", "template", "spec", "volumes")
                                .filter(v -> v.has("secret"))
                                .map(v -> v.text("secret", "secretName")))
                .containsExactly("theirs");
        assertThat(settings(theirs).has("coil.controller.webhook-secret")).isFalse();
    }

    @Test
    void theSandboxIsAskedByTheSameRules() throws IOException {
        String sandbox =
                Files.readString(
                        Path.of("../coil-sandbox/src/main/resources/cluster/webhooks.yaml"));

        assertThat(asked(RenderedChart.with(Map.of()).documents()))
                .isEqualTo(asked(RenderedChart.parse(sandbox)))
                .hasSize(5);
    }

    /** What is asked about, by the name of the webhook. */
    private static Map<String, List<Object>> asked(List<Node> documents) {
        Map<String, List<Object>> asked = new TreeMap<>();
        documents.stream()
                .filter(d -> d.text("kind").endsWith("WebhookConfiguration"))
                .flatMap(d -> d.items("webhooks"))
                .forEach(
                        w ->
                                asked.put(
                                        w.text("name"),
                                        List.of(
                                                w.map().get("rules"),
                                                w.text("failurePolicy"),
                                                w.map().containsKey("matchConditions")
                                                        ? w.map().get("matchConditions")
                                                        : "")));
        return asked;
    }

    private static Node settings(RenderedChart chart) {
        return RenderedChart.parse(settingsOf(chart.the("Deployment", "coil-controller")))
                .getFirst();
    }

    @Test
    void aValueThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> RenderedChart.with(Map.of("agent.nodeSelectr.a", "b")))
                .hasMessageContaining("nodeSelectr");
        assertThatThrownBy(() -> RenderedChart.with(Map.of("controller.replicas", "many")))
                .hasMessageContaining("replicas");
    }

    private static Node security(Node workload) {
        return workload.items("spec", "template", "spec", "containers")
                .findFirst()
                .orElseThrow()
                .at("securityContext");
    }

    private static String settingsOf(Node workload) {
        return workload.items("spec", "template", "spec", "containers")
                .flatMap(c -> c.items("env"))
                .filter(e -> e.text("name").equals("SPRING_APPLICATION_JSON"))
                .findFirst()
                .orElseThrow()
                .text("value");
    }

    private static List<String> caBundles(RenderedChart chart) {
        return chart.ofKind("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
                .flatMap(c -> c.items("webhooks"))
                .filter(w -> w.at("clientConfig").has("caBundle"))
                .map(w -> w.text("clientConfig", "caBundle"))
                .toList();
    }

    private static List<String> portsOf(RenderedChart chart, Map<?, ?> selector) {
        return chart.ofKind("Deployment", "DaemonSet")
                .filter(workload -> selects(selector, workload))
                .flatMap(w -> w.items("spec", "template", "spec", "containers"))
                .flatMap(c -> c.items("ports"))
                .map(p -> p.text("name"))
                .toList();
    }

    private static String identity(Node document) {
        Map<?, ?> metadata = document.map("metadata");
        return document.text("kind") + " " + metadata.get("namespace") + "/" + metadata.get("name");
    }

    private static boolean selects(Map<?, ?> selector, Node workload) {
        return workload.map("spec", "template", "metadata", "labels")
                .entrySet()
                .containsAll(selector.entrySet());
    }
}
