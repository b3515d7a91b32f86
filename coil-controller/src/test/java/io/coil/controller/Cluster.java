package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.ApiServerBuilder;
import io.coil.controller.settings.ControllerSettings;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.testing.Servers;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** An API server, controllers against it, and the words in which the tests are told. */
final class Cluster implements AutoCloseable {
    private static final Map<String, String> QUICK =
            Map.ofEntries(
                    Map.entry("coil.controller.lease-duration", "1s"),
                    Map.entry("coil.controller.lease-renew-deadline", "700ms"),
                    Map.entry("coil.controller.lease-retry", "100ms"),
                    Map.entry("coil.controller.node-grace", "500ms"),
                    Map.entry("coil.controller.run-deadline", "2s"),
                    Map.entry("coil.controller.request-poll", "1s"),
                    Map.entry("coil.controller.pool-status-interval", "100ms"));

    final Timeline timeline = new VirtualThreads();
    final ApiEndpoint server;
    final KubeApi api;
    private final List<Controller> controllers = new ArrayList<>();
    private int made;

    Cluster() {
        this(Servers.IN_JVM);
    }

    Cluster(Servers on) {
        this(on, b -> b);
    }

    /** On the server in the JVM, with what is special about it. */
    Cluster(UnaryOperator<ApiServerBuilder> how) {
        this(Servers.IN_JVM, how);
    }

    /**
     * @param how what is special about the server, if it is the one in the JVM
     */
    Cluster(Servers on, UnaryOperator<ApiServerBuilder> how) {
        server = on.open(how);
        api = client("tester");
        if (api.get(Kinds.NAMESPACES, null, "kube-system").isEmpty()) {
            api.create(
                    Kinds.NAMESPACES,
                    new V1Namespace()
                            .apiVersion("v1")
                            .kind("Namespace")
                            .metadata(new V1ObjectMeta().name("kube-system")));
        }
    }

    /** {@code name}: what fault rules know its calls by. */
    KubeApi client(String name) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        server.adminToken(),
                        new String(server.caCertificate(), StandardCharsets.UTF_8),
                        name));
    }

    /** Starts one more; its calls have the User-Agent c1, c2, ... */
    Controller controller(String... settings) {
        made++;
        return controller("c" + made, client("c" + made), settings);
    }

    Controller controller(String name, KubeApi seam, String... settings) {
        return controller(name, seam, new SimpleMeterRegistry(), settings);
    }

    Controller controller(String name, KubeApi seam, MeterRegistry meters, String... settings) {
        Controller controller = new Controller(seam, timeline, settings(name, settings), meters);
        controllers.add(controller);
        controller.start();
        return controller;
    }

    static ControllerSettings settings(String name, String... settings) {
        Map<String, String> all = new HashMap<>(QUICK);
        for (int i = 0; i < settings.length; i += 2) {
            all.put("coil." + settings[i], settings[i + 1]);
        }
        return ControllerSettings.read(all::get, name);
    }

    /** A controller that leads and has its ledger. */
    Controller leader(String... settings) {
        Controller controller = controller(settings);
        eventually(() -> controller.isGranting());
        return controller;
    }

    static void eventually(Callable<Boolean> what) {
        within(Duration.ofSeconds(10), what);
    }

    static void within(Duration most, Callable<Boolean> what) {
        await().atMost(most).pollInterval(Duration.ofMillis(20)).ignoreExceptions().until(what);
    }

    AddressPool pool(String name, int bits, String... subnets) {
        return pool(name, Map.of(), bits, subnets);
    }

    AddressPool pool(String name, Map<String, String> annotations, int bits, String... subnets) {
        List<AddressPool.Subnet> entries =
                Stream.of(subnets)
                        .map(
                                s ->
                                        s.contains(":")
                                                ? new AddressPool.Subnet(null, s)
                                                : new AddressPool.Subnet(s, null))
                        .toList();
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name).annotations(annotations),
                        new AddressPool.Spec(bits, entries),
                        null));
    }

    V1Node node(String name) {
        return api.create(Kinds.NODES, nodeOf(name, true));
    }

    private static V1Node nodeOf(String name, boolean ready) {
        return new V1Node()
                .apiVersion("v1")
                .kind("Node")
                .metadata(new V1ObjectMeta().name(name))
                .status(
                        new V1NodeStatus()
                                .addresses(
                                        List.of(
                                                new V1NodeAddress()
                                                        .type("InternalIP")
                                                        .address("192.0.2.1")))
                                .conditions(
                                        List.of(
                                                new V1NodeCondition()
                                                        .type("Ready")
                                                        .status(ready ? "True" : "False"))));
    }

    void ready(String node, boolean ready) {
        V1Node read = api.get(Kinds.NODES, null, node).orElseThrow();
        read.setStatus(nodeOf(node, ready).getStatus());
        api.replaceStatus(Kinds.NODES, read);
    }

    void deleteNode(String name) {
        api.delete(Kinds.NODES, null, name, Preconditions.NONE);
    }

    /** A request as an agent makes it. */
    BlockRequest request(String node, String pool) {
        return request("req-" + pool + "-" + node, node, pool);
    }

    BlockRequest request(String name, String node, String pool) {
        V1ObjectMeta meta = new V1ObjectMeta().name(name);
        api.get(Kinds.NODES, null, node)
                .ifPresent(
                        n ->
                                meta.addOwnerReferencesItem(
                                        new V1OwnerReference()
                                                .apiVersion("v1")
                                                .kind("Node")
                                                .name(node)
                                                .uid(Meta.uid(n.getMetadata()))));
        return api.create(
                Kinds.REQUESTS,
                new BlockRequest(
                        Names.COIL_API,
                        "BlockRequest",
                        meta,
                        new BlockRequest.Spec(node, pool),
                        null));
    }

    BlockRequest answer(BlockRequest request) {
        eventually(() -> !reread(request).open());
        return reread(request);
    }

    BlockRequest reread(BlockRequest request) {
        return api.get(Kinds.REQUESTS, null, Meta.name(request.metadata())).orElseThrow();
    }

    /** A block that somebody made: with a finalizer and a node's label, of no request. */
    AddressBlock block(String pool, int index, @Nullable String node, String ipv4) {
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(pool + "-" + index)
                        .finalizers(List.of(Names.FINALIZER))
                        .putLabelsItem(Names.POOL, pool);
        if (node != null) {
            meta.putLabelsItem(Names.NODE, node);
        }
        return api.create(
                Kinds.BLOCKS,
                new AddressBlock(Names.COIL_API, "AddressBlock", meta, index, ipv4, null));
    }

    /** Gives a block back, as its node's agent does. */
    void giveBack(String block) {
        api.get(Kinds.BLOCKS, null, block)
                .ifPresent(
                        b -> api.delete(Kinds.BLOCKS, null, block, Preconditions.of(b.metadata())));
        try {
            api.get(Kinds.BLOCKS, null, block)
                    .ifPresent(
                            b ->
                                    api.patch(
                                            Kinds.BLOCKS,
                                            null,
                                            block,
                                            Preconditions.of(b.metadata()),
                                            "{\"metadata\":{\"finalizers\":[]}}"));
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
            // what is being deleted and has no node, the controller ends too: it was faster
        }
    }

    List<AddressBlock> blocks() {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    List<String> blockNames() {
        return blocks().stream().map(b -> Meta.name(b.metadata())).sorted().toList();
    }

    GarbageCollection run(String name, GarbageCollection.Spec spec) {
        return api.create(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        Names.OPS_API,
                        "GarbageCollection",
                        new V1ObjectMeta().name(name),
                        spec,
                        null));
    }

    GarbageCollection finished(String run) {
        eventually(() -> api.get(Kinds.COLLECTIONS, null, run).orElseThrow().finished());
        return api.get(Kinds.COLLECTIONS, null, run).orElseThrow();
    }

    <T extends KubernetesObject> boolean exists(Kind<T> kind, String name) {
        Optional<T> object = api.get(kind, null, name);
        return object.isPresent();
    }

    @Override
    public void close() {
        for (Controller controller : controllers) {
            try {
                controller.stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        try {
            assertInvariants();
        } finally {
            server.close();
        }
    }

    /**
     * What must be true of everything that controllers have granted; every test ends with it.
     * Numbers as in the manual.
     */
    void assertInvariants() {
        server.faults().clear();
        Map<String, String> blockOfRequest = new HashMap<>();
        List<AddressBlock> granted = new ArrayList<>();
        for (AddressBlock block : api.list(Kinds.BLOCKS, Selection.ALL).items()) {
            String request = block.request();
            if (request == null) {
                continue; // made by hand, as a test wanted it
            }
            assertThat(Meta.name(block.metadata()))
                    .as("2: a block's name is its index")
                    .isEqualTo(block.pool() + "-" + block.index());
            assertThat(blockOfRequest.put(request, Meta.name(block.metadata())))
                    .as("4: one request, at most one block")
                    .isNull();
            assertThat(granted)
                    .as("1: no two blocks overlap")
                    .noneMatch(
                            other ->
                                    other.range()
                                            .orElseThrow()
                                            .overlaps(block.range().orElseThrow()));
            granted.add(block);
        }
    }
}
