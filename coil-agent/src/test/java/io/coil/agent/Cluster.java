package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.ApiServer;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An API server, machines with an agent each (the first is n1), and somebody who grants; short
 * waits.
 */
final class Cluster implements AutoCloseable {
    static final String NODE = "n1";
    private static final String ADDRESS = "172.18.0.2";
    private static final Path CRDS = Path.of("../helm/coil/crds");
    private static final String AGENT = "agent-";

    final ApiServer server;
    final KubeApi api;
    final HandGranter granter;
    final Machine n1;
    final SimulatedKernel kernel;
    final Map<String, Machine> machines = new LinkedHashMap<>();
    private final Timeline time = new VirtualThreads();
    private final Map<String, String> settings =
            new HashMap<>(
                    Map.of(
                            "coil.agent.add-wait", "5s",
                            "coil.agent.demand-hold", "2s",
                            "coil.agent.linger", "300ms",
                            "coil.agent.grace", "300ms",
                            "coil.agent.collection-interval", "200ms",
                            "coil.agent.request-poll", "500ms"));
    private final AtomicInteger plans = new AtomicInteger();
    private Timeline.@Nullable Running granting;

    Cluster(String... overrides) throws IOException {
        for (int i = 0; i < overrides.length; i += 2) {
            settings.put(overrides[i], overrides[i + 1]);
        }
        try (var files = Files.list(CRDS)) {
            server = ApiServer.builder().crds(files.sorted().toList()).port(0).build().start();
        }
        api = client(server.adminToken(), "test");
        granter = new HandGranter(api);
        n1 = machine(NODE, ADDRESS);
        kernel = n1.kernel;
        node(NODE, ADDRESS);
        namespace("default", null);
    }

    private ClientKubeApi client(String token, String name) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        token,
                        new String(server.caCertificate(), StandardCharsets.UTF_8),
                        name));
    }

    /** A machine without a Node object. */
    Machine machine(String name, String address) {
        String token = server.token(AGENT + name, List.of("system:masters"));
        Machine made = new Machine(name, address, client(token, "coil-agent"), settings);
        machines.put(name, made);
        return made;
    }

    /** Another node whose agent serves. */
    Machine another(String name, String address) {
        node(name, address);
        Machine made = machine(name, address);
        made.start();
        return made;
    }

    Cluster start() {
        n1.start();
        return startGranter();
    }

    Cluster startGranter() {
        granting = time.start("granter", granter::untilStopped);
        return this;
    }

    Agent agent() {
        return n1.agent;
    }

    // ------------------------------------------------------------------ faults

    /** Nothing of that node's agent comes through to the API, and its watches end. */
    void partition(String node) {
        server.faults()
                .add(
                        FaultRule.of(
                                "partition " + node,
                                Scope.any().ofUser(AGENT + node),
                                new Effect.Partition()));
    }

    void heal() {
        server.faults().clear();
    }

    // ------------------------------------------------------------------ objects

    V1Node node(String name, String address) {
        V1Node made =
                api.create(
                        Kinds.NODES,
                        new V1Node()
                                .apiVersion("v1")
                                .kind("Node")
                                .metadata(new V1ObjectMeta().name(name)));
        made.setStatus(
                new V1NodeStatus()
                        .addAddressesItem(new V1NodeAddress().type("InternalIP").address(address)));
        return api.replaceStatus(Kinds.NODES, made);
    }

    void namespace(String name, @Nullable String pool) {
        if (api.get(Kinds.NAMESPACES, null, name).isPresent()) {
            return;
        }
        api.create(
                Kinds.NAMESPACES,
                new V1Namespace()
                        .apiVersion("v1")
                        .kind("Namespace")
                        .metadata(
                                new V1ObjectMeta()
                                        .name(name)
                                        .annotations(
                                                pool == null
                                                        ? null
                                                        : Map.of(Names.NAMESPACE_POOL, pool))));
    }

    AddressPool pool(String name, int bits, String ipv4, Map<String, String> annotations) {
        return pool(name, bits, new AddressPool.Subnet(ipv4, null), annotations);
    }

    AddressPool pool(
            String name, int bits, AddressPool.Subnet subnet, Map<String, String> annotations) {
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name).annotations(annotations),
                        new AddressPool.Spec(bits, List.of(subnet)),
                        null));
    }

    /** Pool P2 of the scenarios. */
    AddressPool p2() {
        return pool("default", 1, "10.1.0.0/29", Map.of());
    }

    /** Pool P6 of the scenarios; namespace dual uses it. */
    AddressPool p6() {
        namespace("dual", "dual");
        return pool("dual", 1, new AddressPool.Subnet("10.6.0.0/29", "fd06::/125"), Map.of());
    }

    void annotatePool(String name, String annotation, String value) {
        api.patch(Kinds.POOLS, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    void annotateBlock(String name, String annotation, String value) {
        api.patch(Kinds.BLOCKS, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    void annotateNode(String name, String annotation, String value) {
        api.patch(Kinds.NODES, null, name, Preconditions.NONE, annotations(annotation, value));
    }

    private static String annotations(String annotation, String value) {
        return "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(annotation, value);
    }

    List<AddressBlock> blocks() {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    List<String> blockNames() {
        return blocks().stream().map(b -> Meta.name(b.metadata())).sorted().toList();
    }

    List<CoreV1Event> eventsAbout(String name) {
        return api.list(Kinds.EVENTS, new Selection(null, null, "involvedObject.name=" + name))
                .items();
    }

    /** A pod as its status shows it; whatever that says, it is no evidence. */
    void pod(String name, String phase, String... ips) {
        V1Pod made =
                api.create(
                        Kinds.PODS,
                        new V1Pod()
                                .apiVersion("v1")
                                .kind("Pod")
                                .metadata(
                                        new V1ObjectMeta()
                                                .namespace("default")
                                                .name(name)
                                                .addFinalizersItem("test/stays"))
                                .spec(
                                        new V1PodSpec()
                                                .nodeName(NODE)
                                                .addContainersItem(
                                                        new V1Container()
                                                                .name("main")
                                                                .image("main"))));
        V1PodStatus status = new V1PodStatus().phase(phase);
        if (ips.length > 0) {
            status.setPodIP(ips[0]);
            status.setPodIPs(Arrays.stream(ips).map(ip -> new V1PodIP().ip(ip)).toList());
        }
        made.setStatus(status);
        api.replaceStatus(Kinds.PODS, made);
    }

    /** A run that its controller has opened for these nodes. */
    GarbageCollection run(String name, boolean dryRun, String... nodes) {
        GarbageCollection made =
                api.create(
                        Kinds.COLLECTIONS,
                        new GarbageCollection(
                                Names.OPS_API,
                                "GarbageCollection",
                                new V1ObjectMeta().name(name),
                                new GarbageCollection.Spec(
                                        List.of(nodes), null, null, dryRun, null, null),
                                null));
        return api.replaceStatus(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        made.apiVersion(),
                        made.kind(),
                        made.metadata(),
                        made.spec(),
                        new GarbageCollection.Status(
                                GarbageCollection.Status.RUNNING,
                                null,
                                0,
                                0,
                                0,
                                0,
                                null,
                                0,
                                List.of(nodes),
                                null,
                                null,
                                null)));
    }

    /** That node's part in a run, when it is done. */
    List<RunItem> part(String node, GarbageCollection run) {
        String uid = Meta.uid(run.metadata());
        return await().atMost(Duration.ofSeconds(10))
                .ignoreExceptions()
                .until(
                        () ->
                                Objects.requireNonNull(
                                                api.get(Kinds.USAGES, null, node)
                                                        .orElseThrow()
                                                        .runs())
                                        .stream()
                                        .filter(r -> r.uid().equals(uid))
                                        .findFirst()
                                        .orElseThrow()
                                        .items(),
                        Objects::nonNull);
    }

    /** What that node's agent would collect now, and what it reports. */
    List<RunItem> plan(String node) {
        return part(node, run("plan-" + plans.incrementAndGet(), true, node));
    }

    // ------------------------------------------------------------------ calls on n1

    CniReply cni(String command, String container, String namespace, String pod, String netns)
            throws InterruptedException {
        return n1.cni(command, container, namespace, pod, netns);
    }

    String add(String container, String pod) throws InterruptedException {
        return n1.add(container, pod);
    }

    void del(String container, String pod) throws InterruptedException {
        n1.del(container, pod);
    }

    // ------------------------------------------------------------------ truth

    /**
     * What must be true at any quiet moment; numbers as in the architecture's list of invariants.
     */
    void assertInvariants() {
        assertThat(new Truth(this).violations()).isEmpty();
    }

    void awaitInvariants() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(this::assertInvariants);
    }

    void awaitNoRequests() {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> api.list(Kinds.REQUESTS, Selection.ALL).items().isEmpty());
    }

    /** Nothing is left once nobody holds an address. */
    void awaitNoBlocks() {
        await().atMost(Duration.ofSeconds(10)).until(() -> blocks().isEmpty());
        awaitInvariants();
    }

    @Override
    public void close() {
        try {
            if (granting != null) {
                granting.stop();
                granting.awaitEnd(Duration.ofSeconds(2));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        heal();
        new ArrayList<>(machines.values()).forEach(Machine::close);
        server.close();
    }
}
