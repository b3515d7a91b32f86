package io.coil.sandbox.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.kernel.SimulatedKernel;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.coil.sandbox.Console;
import io.coil.sandbox.Sandbox;
import io.coil.sandbox.SandboxSettings;
import io.coil.sandbox.check.Invariants;
import io.coil.sandbox.cluster.KubeletSettings;
import io.coil.sandbox.cluster.Pods;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A whole sandbox with short waits, and what the scenarios do with it. */
final class Stage implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(30);

    final Sandbox sandbox;
    final KubeApi api;
    private final HttpClient http = HttpClient.newHttpClient();

    Stage(int workers) throws Exception {
        SandboxSettings settings =
                SandboxSettings.quiet(workers)
                        .withKubelet(
                                KubeletSettings.DEFAULTS.withRetry(
                                        Duration.ofMillis(100), Duration.ofMillis(500)));
        for (Map.Entry<String, String> setting :
                Map.of(
                                "coil.agent.add-wait", "500ms",
                                "coil.agent.demand-hold", "3s",
                                "coil.agent.linger", "1s",
                                "coil.agent.grace", "2s",
                                "coil.agent.collection-interval", "1s",
                                "coil.agent.report-interval", "300ms",
                                "coil.controller.node-grace", "2s",
                                "coil.controller.collection-interval", "1s",
                                "coil.controller.pool-status-interval", "300ms",
                                "coil.controller.run-deadline", "20s")
                        .entrySet()) {
            settings = settings.with(setting.getKey(), setting.getValue());
        }
        sandbox = Sandbox.start(settings, new Console(new PrintWriter(Writer.nullWriter())));
        sandbox.awaitReady();
        api = sandbox.api();
    }

    AddressPool pool(String name, int bits, String ipv4) {
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name),
                        new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(ipv4, null))),
                        null));
    }

    void namespace(String name, String pool) {
        api.create(
                Kinds.NAMESPACES,
                new V1Namespace()
                        .apiVersion("v1")
                        .kind("Namespace")
                        .metadata(
                                new V1ObjectMeta()
                                        .name(name)
                                        .annotations(Map.of(Names.NAMESPACE_POOL, pool))));
    }

    void startPod(String namespace, String name, @Nullable String node) {
        api.create(
                Kinds.PODS,
                new V1Pod()
                        .apiVersion("v1")
                        .kind("Pod")
                        .metadata(new V1ObjectMeta().namespace(namespace).name(name))
                        .spec(
                                new V1PodSpec()
                                        .nodeName(node)
                                        .terminationGracePeriodSeconds(0L)
                                        .addContainersItem(
                                                new V1Container()
                                                        .name("c")
                                                        .image("pause")
                                                        .command(List.of("pause")))));
    }

    /** Waits until the pod is Ready; its address. */
    String awaitRunning(String namespace, String name) {
        await("pod %s/%s is ready".formatted(namespace, name))
                .atMost(SOON)
                .until(() -> pod(namespace, name).filter(Pods::ready).isPresent());
        return pod(namespace, name).orElseThrow().getStatus().getPodIP();
    }

    Optional<V1Pod> pod(String namespace, String name) {
        return api.get(Kinds.PODS, namespace, name);
    }

    void deletePod(String namespace, String name) {
        api.delete(Kinds.PODS, namespace, name, Preconditions.NONE);
        await("pod %s/%s is gone".formatted(namespace, name))
                .atMost(SOON)
                .until(() -> pod(namespace, name).isEmpty());
    }

    void controllers(int replicas) {
        api.patch(
                Kinds.DEPLOYMENTS,
                "kube-system",
                "coil-controller",
                Preconditions.NONE,
                "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
        await("%d controllers".formatted(replicas))
                .atMost(SOON)
                .until(
                        () ->
                                api
                                                .list(
                                                        Kinds.PODS,
                                                        new Selection(
                                                                "kube-system",
                                                                "app.kubernetes.io/component=coil-controller",
                                                                null))
                                                .items()
                                                .stream()
                                                .filter(Pods::ready)
                                                .count()
                                        == replicas);
    }

    List<AddressBlock> blocks(String pool) {
        return api.list(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool)).items();
    }

    List<String> blockNames(String pool) {
        return blocks(pool).stream().map(b -> Meta.name(b.metadata())).sorted().toList();
    }

    /** A block that nobody asked for, made as Coil's controller would make it. */
    void blockByHand(AddressPool pool, int index, String node, String ipv4) {
        api.create(
                Kinds.BLOCKS,
                new AddressBlock(
                        Names.COIL_API,
                        "AddressBlock",
                        new V1ObjectMeta()
                                .name(Meta.name(pool.metadata()) + "-" + index)
                                .labels(
                                        Map.of(
                                                Names.POOL,
                                                Meta.name(pool.metadata()),
                                                Names.NODE,
                                                node))
                                .finalizers(List.of(Names.FINALIZER))
                                .addOwnerReferencesItem(
                                        new V1OwnerReference()
                                                .apiVersion(Names.COIL_API)
                                                .kind("AddressPool")
                                                .name(Meta.name(pool.metadata()))
                                                .uid(Meta.uid(pool.metadata()))
                                                .controller(true)
                                                .blockOwnerDeletion(true)),
                        index,
                        ipv4,
                        null));
    }

    void annotate(String kind, String name, String annotation, @Nullable String value) {
        String patch =
                "{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                        .formatted(annotation, value == null ? "null" : "\"" + value + "\"");
        if (kind.equals("node")) {
            api.patch(Kinds.NODES, null, name, Preconditions.NONE, patch);
        } else {
            api.patch(Kinds.POOLS, null, name, Preconditions.NONE, patch);
        }
    }

    GarbageCollection collect(String name, GarbageCollection.Spec spec) {
        api.create(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        Names.OPS_API,
                        "GarbageCollection",
                        new V1ObjectMeta().name(name),
                        spec,
                        null));
        return awaitFinished(name);
    }

    GarbageCollection awaitFinished(String run) {
        await("run %s is finished".formatted(run))
                .atMost(SOON)
                .until(
                        () ->
                                api.get(Kinds.COLLECTIONS, null, run)
                                        .filter(GarbageCollection::finished)
                                        .isPresent());
        return api.get(Kinds.COLLECTIONS, null, run).orElseThrow();
    }

    /** What the agent of a node reports; empty before it has. */
    Optional<NodeBlockUsage.Report> report(String node) {
        return api.get(Kinds.USAGES, null, node).map(NodeBlockUsage::report);
    }

    /** Names of the blocks of a pool that the node's agent reports. */
    List<String> reported(String node, String pool) {
        return report(node).map(NodeBlockUsage.Report::blocks).stream()
                .flatMap(List::stream)
                .filter(b -> b.pool().equals(pool))
                .map(NodeBlockUsage.Block::name)
                .sorted()
                .toList();
    }

    static List<RunItem> items(GarbageCollection run) {
        return run.status() == null || run.status().items() == null
                ? List.of()
                : run.status().items();
    }

    SimulatedKernel kernel(String node) {
        return Objects.requireNonNull(sandbox.kernels().get(node));
    }

    /** GET of the admin application, as an administrator. */
    HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(sandbox.adminUrl().resolve(path)).GET());
    }

    HttpResponse<String> post(String path, String json) throws Exception {
        return send(
                HttpRequest.newBuilder(sandbox.adminUrl().resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    String metrics() throws Exception {
        URI management = sandbox.programs().admin().managementUri();
        assertThat(management).isNotNull();
        return http.send(
                        HttpRequest.newBuilder(management.resolve("/actuator/prometheus")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(
                request.header("Authorization", "Bearer " + sandbox.server().adminToken()).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** What must be true when all has been quiet for longer than every grace. */
    void assertInvariants() {
        await("the invariants hold once it is quiet")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(
                        () ->
                                assertThat(Invariants.violationsWhenQuiet(sandbox.world()))
                                        .isEmpty());
    }

    /** Leaves nothing of a scenario behind. */
    void remove(String pool, String namespace) {
        api.list(Kinds.PODS, new Selection(namespace, null, null))
                .items()
                .forEach(p -> deletePod(namespace, Meta.name(p.getMetadata())));
        api.delete(Kinds.NAMESPACES, null, namespace, Preconditions.NONE);
        api.delete(Kinds.POOLS, null, pool, Preconditions.NONE);
        await("pool %s is gone".formatted(pool))
                .atMost(Duration.ofSeconds(5))
                .until(() -> api.get(Kinds.POOLS, null, pool).isEmpty());
        assertInvariants();
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
