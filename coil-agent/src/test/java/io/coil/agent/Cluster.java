package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.kernel.PodLink;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.ApiServer;
import io.coil.core.holdings.Assignment;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API server, one node with a kernel and an agent, and somebody who grants; short waits. */
final class Cluster implements AutoCloseable {
    static final String NODE = "n1";
    private static final Path CRDS = Path.of("../helm/coil/crds");
    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"/]+)/");

    final ApiServer server;
    final KubeApi api;
    final HandGranter granter;
    final SimulatedKernel kernel = new SimulatedKernel(Set.of(Address.parse("172.18.0.2")));
    final Timeline time = new VirtualThreads();
    private final Map<String, String> settings =
            new HashMap<>(
                    Map.of(
                            "coil.agent.add-wait", "5s",
                            "coil.agent.demand-hold", "2s",
                            "coil.agent.linger", "300ms",
                            "coil.agent.grace", "300ms",
                            "coil.agent.collection-interval", "200ms",
                            "coil.agent.request-poll", "500ms"));
    private final ClientKubeApi agentApi;
    private Timeline.@Nullable Running granting;
    Agent agent;

    Cluster(String... overrides) throws IOException {
        for (int i = 0; i < overrides.length; i += 2) {
            settings.put(overrides[i], overrides[i + 1]);
        }
        try (var files = Files.list(CRDS)) {
            server = ApiServer.builder().crds(files.sorted().toList()).port(0).build().start();
        }
        api = client(server.adminToken(), "test");
        agentApi = client(server.token("agent-n1", List.of("system:masters")), "coil-agent");
        granter = new HandGranter(api);
        node(NODE, "172.18.0.2");
        namespace("default", null);
        agent = newAgent();
    }

    private ClientKubeApi client(String token, String name) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        token,
                        new String(server.caCertificate(), StandardCharsets.UTF_8),
                        name));
    }

    private Agent newAgent() {
        return new Agent(agentApi, kernel, time, AgentSettings.of(NODE, settings));
    }

    Cluster start() {
        startAgent();
        granting = time.start("granter", granter::untilStopped);
        return this;
    }

    void startAgent() {
        agent.start();
        await().atMost(Duration.ofSeconds(10)).until(() -> agent.notServing() == null);
    }

    /** The agent's process dies; what it knew is lost, what kernel and API hold stays. */
    void restartAgent() throws InterruptedException {
        agent.stop();
        agent = newAgent();
        startAgent();
    }

    void node(String name, String address) {
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
        api.replaceStatus(Kinds.NODES, made);
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
        return api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name).annotations(annotations),
                        new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(ipv4, null))),
                        null));
    }

    /** Pool P2 of the scenarios. */
    AddressPool p2() {
        return pool("default", 1, "10.1.0.0/29", Map.of());
    }

    CniReply cni(String command, String container, String namespace, String pod, String netns)
            throws InterruptedException {
        return agent.call(
                new CniRequest(
                        Map.of(
                                "CNI_COMMAND", command,
                                "CNI_CONTAINERID", container,
                                "CNI_IFNAME", "eth0",
                                "CNI_NETNS", netns,
                                "CNI_ARGS",
                                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s"
                                                .formatted(namespace, pod)),
                        "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s\",\"type\":\"coil\"}"));
    }

    /** ADD of a pod in namespace default; the address, or an assertion error with the answer. */
    String add(String container, String pod) throws InterruptedException {
        CniReply reply = cni("ADD", container, "default", pod, "/run/netns/" + container);
        assertThat(reply.exitCode()).as(reply.standardOutput()).isZero();
        Matcher address = ADDRESS.matcher(reply.standardOutput());
        assertThat(address.find()).isTrue();
        return address.group(1);
    }

    void del(String container, String pod) throws InterruptedException {
        CniReply reply = cni("DEL", container, "default", pod, "/run/netns/" + container);
        assertThat(reply.exitCode()).as(reply.standardOutput()).isZero();
    }

    List<AddressBlock> blocks() {
        return api.list(Kinds.BLOCKS, Selection.ALL).items();
    }

    List<String> blockNames() {
        return blocks().stream().map(b -> b.metadata().getName()).sorted().toList();
    }

    /**
     * What must be true at any quiet moment; numbers as in the architecture's list of invariants.
     */
    void assertInvariants() {
        Set<String> addresses = new HashSet<>();
        List<AddressBlock> blocks = blocks();
        List<BlockRange> ranges = new ArrayList<>();
        for (AddressBlock block : blocks) {
            BlockRange range = BlockRange.parse(block.ipv4(), block.ipv6());
            assertThat(ranges).as("1: no two blocks overlap").noneMatch(range::overlaps);
            ranges.add(range);
            assertThat(block.metadata().getName())
                    .as("2: a block's name is its index")
                    .isEqualTo(block.pool() + "-" + block.index());
        }
        for (PodLink link : kernel.links()) {
            for (Address address : link.addresses()) {
                assertThat(addresses.add(address.toString()))
                        .as("1: one owner of %s", address)
                        .isTrue();
                assertThat(ranges)
                        .as("1: %s lies in a block of its node", address)
                        .anyMatch(r -> r.contains(address));
            }
        }
        Set<String> inUse = new TreeSet<>();
        for (Assignment assignment : agent.assignments()) {
            assignment.addresses().forEach(a -> inUse.add(a.toString()));
        }
        assertThat(inUse)
                .as("5: addresses in use are those of live containers")
                .isEqualTo(addresses);
        assertThat(api.list(Kinds.REQUESTS, Selection.ALL).items())
                .as("4: at most one request")
                .hasSizeLessThanOrEqualTo(1);
        Set<Cidr> exported = kernel.exported();
        Set<Cidr> wanted = new HashSet<>();
        ranges.forEach(r -> wanted.addAll(r.ranges()));
        assertThat(exported).as("7: routes are exactly the node's blocks").isEqualTo(wanted);
    }

    /** Nothing is left once nobody holds an address. */
    void awaitNoBlocks() {
        await().atMost(Duration.ofSeconds(10)).until(() -> blocks().isEmpty());
        await().atMost(Duration.ofSeconds(5)).untilAsserted(this::assertInvariants);
    }

    @Override
    public void close() {
        try {
            if (granting != null) {
                granting.stop();
                granting.awaitEnd(Duration.ofSeconds(2));
            }
            agent.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        agentApi.close();
        server.close();
    }
}
