package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.Agent;
import io.coil.agent.AgentSettings;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.controller.Controller;
import io.coil.controller.settings.ControllerSettings;
import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * B1a fifty times, without the surroundings that start slowly: the pod's calls time out while no
 * controller is there, and the one that comes back sees the requests late.
 */
@OnBothServers
class SeedIT {
    private static final int ROUNDS = 50;
    private static final String NODE = "n1";
    private static final Map<String, String> AGENT =
            Map.of(
                    "coil.node-name", NODE,
                    "coil.agent.add-wait", "100ms",
                    "coil.agent.demand-hold", "1s",
                    "coil.agent.linger", "0s",
                    "coil.agent.collection-interval", "1s",
                    "coil.agent.request-poll", "500ms");
    private static final Map<String, String> CONTROLLER =
            Map.of(
                    "coil.controller.lease-duration", "1s",
                    "coil.controller.lease-renew-deadline", "700ms",
                    "coil.controller.lease-retry", "50ms",
                    "coil.controller.request-poll", "500ms",
                    "coil.controller.pool-status-interval", "200ms");

    private final Servers on;
    private final VirtualThreads time = new VirtualThreads();
    private final SimulatedKernel kernel =
            new SimulatedKernel(Set.of(Address.parse("192.168.0.1")));
    private final List<ClientKubeApi> clients = new ArrayList<>();
    private ApiEndpoint server;
    private ClientKubeApi api;
    private Agent agent;

    SeedIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        server = on.open(builder -> builder);
        api = client("test");
        api.create(
                Kinds.NODES,
                new V1Node()
                        .apiVersion("v1")
                        .kind("Node")
                        .metadata(new V1ObjectMeta().name(NODE))
                        .status(
                                new V1NodeStatus()
                                        .addAddressesItem(
                                                new V1NodeAddress()
                                                        .type("InternalIP")
                                                        .address("192.168.0.1"))));
        agent = new Agent(client("agent"), kernel, time, AgentSettings.read(AGENT::get, "test"));
        agent.start();
        await().until(() -> agent.notServing() == null);
    }

    @AfterEach
    void stop() throws InterruptedException {
        agent.stop();
        clients.forEach(ClientKubeApi::close);
        server.close();
    }

    @Test
    @DisplayName("B1a 50 times: no second block, none left over")
    void b1a() throws InterruptedException {
        for (int round = 1; round <= ROUNDS; round++) {
            story(round, new Random(round));
        }

        assertThat(blocksEverMade()).as("blocks that were ever made").isEqualTo(ROUNDS);
        assertThat(api.list(Kinds.BLOCKS, Selection.ALL).items()).isEmpty();
        assertThat(api.list(Kinds.REQUESTS, Selection.ALL).items()).isEmpty();
        assertThat(kernel.exported()).isEmpty();
    }

    private void story(int round, Random random) throws InterruptedException {
        String pool = "pool-" + round;
        createPool(pool);
        // given calls that time out while no controller is there
        for (int call = 1 + random.nextInt(3); call > 0; call--) {
            assertThat(cni("ADD", pool).ok()).isFalse();
        }
        // and a controller whose watches are late when it comes back
        String name = "controller-" + round;
        server.faults()
                .add(
                        Scope.any().ofUserAgent(name).onVerbs("watch"),
                        new Effect.WatchLag(Duration.ofMillis(random.nextInt(400))));
        ClientKubeApi seam = client(name);
        Controller controller =
                new Controller(
                        seam,
                        time,
                        ControllerSettings.read(CONTROLLER::get, name),
                        new SimpleMeterRegistry());
        controller.start();

        // when the kubelet goes on trying
        await().pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(15))
                .until(() -> cni("ADD", pool).ok());

        // then there is one block, the pod's, and one route
        assertThat(api.list(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool)).items())
                .as("round %d", round)
                .singleElement()
                .satisfies(
                        block ->
                                assertThat(kernel.exported())
                                        .containsExactly(
                                                Cidr.parse(Objects.requireNonNull(block.ipv4()))));
        // and nothing once the pod is gone, so the pool can go
        assertThat(cni("DEL", pool).ok()).isTrue();
        api.delete(Kinds.POOLS, null, pool, Preconditions.NONE);
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(10))
                .until(() -> api.get(Kinds.POOLS, null, pool).isEmpty());
        controller.stop();
        server.faults().clear();
        seam.close();
        clients.remove(seam);
    }

    private long blocksEverMade() {
        return server.requests()
                .sum(
                        k ->
                                k.verb().equals("create")
                                        && k.resource().equals("addressblocks")
                                        && k.code() == 201);
    }

    private void createPool(String pool) {
        api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(pool).addFinalizersItem(Names.FINALIZER),
                        new AddressPool.Spec(
                                0, List.of(new AddressPool.Subnet("10.0.0.0/30", null))),
                        null));
        api.create(
                Kinds.NAMESPACES,
                new V1Namespace()
                        .apiVersion("v1")
                        .kind("Namespace")
                        .metadata(
                                new V1ObjectMeta()
                                        .name(pool)
                                        .putAnnotationsItem(Names.NAMESPACE_POOL, pool)));
    }

    private CniReply cni(String command, String namespace) throws InterruptedException {
        return agent.call(
                new CniRequest(
                        Map.of(
                                "CNI_COMMAND",
                                command,
                                "CNI_CONTAINERID",
                                "c-" + namespace,
                                "CNI_NETNS",
                                "/run/netns/" + namespace,
                                "CNI_IFNAME",
                                "eth0",
                                "CNI_PATH",
                                "/opt/cni/bin",
                                "CNI_ARGS",
                                "K8S_POD_NAMESPACE=%s;K8S_POD_NAME=pod".formatted(namespace)),
                        "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s-pod-network\",\"type\":\"coil\"}"));
    }

    private ClientKubeApi client(String userAgent) {
        ClientKubeApi client =
                ClientKubeApi.create(
                        ClientSettings.direct(
                                server.url(),
                                server.adminToken(),
                                new String(server.caCertificate(), StandardCharsets.US_ASCII),
                                userAgent));
        clients.add(client);
        return client;
    }
}
