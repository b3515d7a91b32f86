package io.coil.sandbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.ApiServer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.setup.AdministeredPods;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The simulated cluster by itself, with a network plugin that only counts. */
class ClusterIT {
    private final CountingPlugin plugin = new CountingPlugin();
    private final Map<String, TestProgram> programs = new ConcurrentHashMap<>();
    private ApiServer server;
    private ClientKubeApi api;
    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        server = ApiServer.builder().build().start();
        api =
                ClientKubeApi.create(
                        ClientSettings.direct(
                                server.url(),
                                server.adminToken(),
                                new String(server.caCertificate(), StandardCharsets.US_ASCII),
                                "test"));
        AtomicInteger addresses = new AtomicInteger(2);
        cluster =
                new Cluster(
                        api,
                        new AdministeredPods(server),
                        new VirtualThreads(),
                        (name, ip) ->
                                new TestMachine(
                                        name,
                                        ip == null ? "172.18.0." + addresses.getAndIncrement() : ip,
                                        plugin),
                        Map.of("test", this::startProgram),
                        KubeletSettings.DEFAULTS.withRetry(
                                Duration.ofMillis(50), Duration.ofMillis(200)));
        cluster.start("control", List.of("one", "two"));
    }

    @AfterEach
    void stop() throws Exception {
        cluster.stop();
        api.close();
        server.close();
    }

    @Test
    void aPodGetsANodeAndAnAddressAndRuns() {
        api.create(Kinds.PODS, Specimens.pod("first"));

        V1Pod running = awaitReady("first");

        assertThat(running.getSpec().getNodeName()).isIn("one", "two");
        assertThat(running.getStatus().getPodIP()).startsWith("10.9.");
        assertThat(running.getStatus().getPhase()).isEqualTo("Running");
        assertThat(cluster.liveContainers().values().stream().mapToLong(List::size).sum())
                .isEqualTo(1);
    }

    @Test
    void aDeletedPodIsDeletedFromTheNetworkBeforeItGoes() {
        api.create(Kinds.PODS, Specimens.pod("short"));
        awaitReady("short");

        api.delete(Kinds.PODS, "default", "short", Preconditions.NONE);

        awaitGone("short");
        assertThat(plugin.held).isEmpty();
    }

    @Test
    void aSandboxWhoseCheckFailsIsReplacedByANewOne() {
        api.create(Kinds.PODS, Specimens.pod("shaken"));
        String before = awaitReady("shaken").getStatus().getPodIP();
        await().until(() -> plugin.count("CHECK") >= 1);

        plugin.held.clear(); // the machine has lost its links

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(awaitReady("shaken").getStatus().getPodIP())
                                        .isNotEqualTo(before));
        assertThat(plugin.count("DEL")).isEqualTo(1);
        assertThat(plugin.held).hasSize(1);
    }

    @Test
    void everyTryHasANewContainerAndAFailedOneIsDeleted() {
        plugin.failures.set(3);
        api.create(Kinds.PODS, Specimens.pod("slow"));

        awaitReady("slow");

        assertThat(plugin.count("ADD")).isEqualTo(4);
        assertThat(plugin.count("DEL")).isEqualTo(3);
        assertThat(plugin.held).hasSize(1);
        assertThat(api.list(Kinds.EVENTS, Selection.ALL).items())
                .anySatisfy(
                        e -> {
                            assertThat(e.getReason()).isEqualTo("FailedCreatePodSandBox");
                            assertThat(e.getMessage()).contains("no room");
                            assertThat(e.getCount()).isEqualTo(3);
                        });
    }

    @Test
    void aDeploymentIsScaledAndRolledAndReportsIt() {
        api.create(Kinds.DEPLOYMENTS, Specimens.deployment("web", 3, "web:1"));
        awaitAvailable("web", 3);

        api.patch(
                Kinds.DEPLOYMENTS,
                "default",
                "web",
                Preconditions.NONE,
                """
                {"spec":{"template":{"spec":{"containers":[{"name":"main","image":"web:2"}]}}}}
                """);
        await().untilAsserted(
                        () ->
                                assertThat(pods())
                                        .hasSize(3)
                                        .allSatisfy(
                                                p ->
                                                        assertThat(
                                                                        p.getSpec()
                                                                                .getContainers()
                                                                                .getFirst()
                                                                                .getImage())
                                                                .isEqualTo("web:2")));
        awaitAvailable("web", 3);

        api.patch(
                Kinds.DEPLOYMENTS,
                "default",
                "web",
                Preconditions.NONE,
                "{\"spec\":{\"replicas\":0}}");

        await().untilAsserted(() -> assertThat(pods()).isEmpty());
        assertThat(plugin.held).isEmpty();
    }

    @Test
    void aProgramRunsOncePerNodeAndComesBackWhenItsPodIsDeleted() {
        api.create(Kinds.DAEMON_SETS, Specimens.programs("agent"));
        await().untilAsserted(() -> assertThat(programs).hasSize(3));
        V1Pod first =
                api.list(Kinds.PODS, new Selection("kube-system", null, null)).items().stream()
                        .filter(p -> "one".equals(p.getSpec().getNodeName()))
                        .findFirst()
                        .orElseThrow();
        TestProgram program = Objects.requireNonNull(programs.get("one"));

        api.delete(Kinds.PODS, "kube-system", first.getMetadata().getName(), Preconditions.NONE);

        await().untilAsserted(() -> assertThat(program.alive()).isFalse());
        await().untilAsserted(() -> assertThat(programs.get("one")).isNotSameAs(program));
        await().untilAsserted(
                        () ->
                                assertThat(
                                                api.get(Kinds.DAEMON_SETS, "kube-system", "agent")
                                                        .orElseThrow()
                                                        .getStatus()
                                                        .getNumberReady())
                                        .isEqualTo(3));
    }

    @Test
    void aCrashedProgramIsStartedAgain() {
        api.create(Kinds.DAEMON_SETS, Specimens.programs("agent"));
        await().untilAsserted(() -> assertThat(programs).hasSize(3));
        TestProgram program = Objects.requireNonNull(programs.get("two"));

        program.stop();

        await().untilAsserted(() -> assertThat(programs.get("two")).isNotSameAs(program));
    }

    @Test
    void aNodeThatSomebodyMakesGetsAMachine() {
        api.create(
                Kinds.NODES,
                new io.kubernetes.client.openapi.models.V1Node()
                        .apiVersion("v1")
                        .kind("Node")
                        .metadata(new V1ObjectMeta().name("three")));

        await().untilAsserted(
                        () ->
                                assertThat(
                                                Scheduler.isReady(
                                                        api.get(Kinds.NODES, null, "three")
                                                                .orElseThrow()))
                                        .isTrue());
        V1Pod pod = Specimens.pod("there");
        pod.getSpec().setNodeName("three");
        api.create(Kinds.PODS, pod);
        awaitReady("there");
    }

    private Program startProgram(V1Pod pod, Machine machine) {
        TestProgram program = new TestProgram();
        programs.put(machine.name(), program);
        return program;
    }

    private List<V1Pod> pods() {
        return api.list(Kinds.PODS, new Selection("default", null, null)).items();
    }

    private V1Pod awaitReady(String name) {
        await().untilAsserted(
                        () ->
                                assertThat(api.get(Kinds.PODS, "default", name))
                                        .hasValueSatisfying(
                                                p -> assertThat(Pods.ready(p)).isTrue()));
        return api.get(Kinds.PODS, "default", name).orElseThrow();
    }

    private void awaitGone(String name) {
        await().untilAsserted(() -> assertThat(api.get(Kinds.PODS, "default", name)).isEmpty());
    }

    private void awaitAvailable(String name, int replicas) {
        await().untilAsserted(
                        () -> {
                            V1Deployment deployment =
                                    api.get(Kinds.DEPLOYMENTS, "default", name).orElseThrow();
                            assertThat(deployment.getStatus()).isNotNull();
                            assertThat(deployment.getStatus().getObservedGeneration())
                                    .isEqualTo(deployment.getMetadata().getGeneration());
                            assertThat(deployment.getStatus().getUpdatedReplicas())
                                    .isEqualTo(replicas);
                            assertThat(deployment.getStatus().getAvailableReplicas())
                                    .isEqualTo(replicas);
                            assertThat(deployment.getStatus().getReplicas()).isEqualTo(replicas);
                        });
    }

    private record TestMachine(String name, String internalIp, CniEntry plugin)
            implements Machine {}
}
