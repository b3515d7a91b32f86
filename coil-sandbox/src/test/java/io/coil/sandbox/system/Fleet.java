package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.Agent;
import io.coil.agent.AgentSettings;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.ApiServer;
import io.coil.apiserver.fault.Faults;
import io.coil.controller.Controller;
import io.coil.controller.settings.ControllerSettings;
import io.coil.core.net.Address;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.check.GivenBack;
import io.coil.sandbox.check.World;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A controller and many agents, without pods, kubelets or Spring: the runtimes are the test. */
final class Fleet implements AutoCloseable {
    /** What fault rules know the programs' calls by. */
    static final String PROGRAMS = "fleet-";

    private static final Path CRDS = Path.of("../helm/coil/crds");
    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"/]+)/");
    private static final Map<String, String> AGENT =
            Map.of(
                    "coil.agent.add-wait", "3s",
                    "coil.agent.demand-hold", "5s",
                    "coil.agent.linger", "500ms",
                    "coil.agent.grace", "1s",
                    "coil.agent.collection-interval", "1s",
                    "coil.agent.report-interval", "5s",
                    "coil.agent.request-poll", "500ms");
    private static final Map<String, String> CONTROLLER =
            Map.of(
                    "coil.controller.lease-duration", "5s",
                    "coil.controller.lease-renew-deadline", "4s",
                    "coil.controller.lease-retry", "200ms",
                    "coil.controller.request-poll", "500ms",
                    "coil.controller.collection-interval", "1s");

    private final Timeline time = new VirtualThreads();
    private final ApiServer server;
    private final ClientKubeApi api;
    private final GivenBack givenBack;
    private final List<ClientKubeApi> clients = new ArrayList<>();
    private final Map<String, SimulatedKernel> kernels = new TreeMap<>();
    private final Map<String, Agent> agents = new TreeMap<>();
    private final Map<String, Set<String>> live = new ConcurrentHashMap<>();
    private final Map<String, String> containers = new ConcurrentHashMap<>(); // by pod
    private final Controller controller;

    Fleet(int nodes) throws IOException {
        try (var files = Files.list(CRDS)) {
            server =
                    ApiServer.builder()
                            .crds(files.sorted().toList())
                            .port(0)
                            .authorization(false)
                            .build()
                            .start();
        }
        api = client("test");
        givenBack = new GivenBack(server, api);
        for (String namespace : List.of("default", "kube-system")) {
            if (api.get(Kinds.NAMESPACES, null, namespace).isEmpty()) {
                api.create(
                        Kinds.NAMESPACES,
                        new V1Namespace()
                                .apiVersion("v1")
                                .kind("Namespace")
                                .metadata(new V1ObjectMeta().name(namespace)));
            }
        }
        controller =
                new Controller(
                        client(PROGRAMS + "controller"),
                        time,
                        ControllerSettings.read(CONTROLLER::get, "c1"),
                        new SimpleMeterRegistry());
        for (int i = 1; i <= nodes; i++) {
            node("n" + i, "172.18.1." + i);
        }
    }

    private ClientKubeApi client(String name) {
        ClientKubeApi client =
                ClientKubeApi.create(
                        ClientSettings.direct(
                                server.url(),
                                server.adminToken(),
                                new String(server.caCertificate(), StandardCharsets.UTF_8),
                                name));
        clients.add(client);
        return client;
    }

    private void node(String name, String address) {
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
        SimulatedKernel kernel = new SimulatedKernel(Set.of(Address.parse(address)));
        kernels.put(name, kernel);
        live.put(name, ConcurrentHashMap.newKeySet());
        agents.put(
                name,
                new Agent(
                        client(GivenBack.agent(PROGRAMS + "agent", name)),
                        kernel,
                        time,
                        AgentSettings.of(name, AGENT)));
    }

    void pool(String name, int bits, String ipv4) {
        api.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name(name),
                        new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(ipv4, null))),
                        null));
    }

    void start() {
        controller.start();
        agents.values().forEach(Agent::start);
        await().atMost(Duration.ofSeconds(30))
                .until(
                        () ->
                                controller.isGranting()
                                        && agents.values().stream()
                                                .allMatch(a -> a.notServing() == null));
    }

    ApiServer server() {
        return server;
    }

    KubeApi api() {
        return api;
    }

    Set<String> nodes() {
        return agents.keySet();
    }

    long faultsInjected() {
        return server.faults().list().stream().mapToLong(Faults.Shown::hits).sum();
    }

    /** As a kubelet does it: a failed one is undone by a DEL, and another container is tried. */
    String addUntilItSucceeds(String node, String pod, Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        String last = "";
        for (int attempt = 0; System.nanoTime() - deadline < 0; attempt++) {
            String container = pod + "." + attempt;
            running(node).add(container);
            CniReply reply = call(node, "ADD", container, pod);
            if (reply.ok()) {
                containers.put(pod, container);
                Matcher address = ADDRESS.matcher(reply.standardOutput());
                assertThat(address.find()).isTrue();
                return address.group(1);
            }
            last = reply.standardOutput();
            running(node).remove(container);
            assertThat(call(node, "DEL", container, pod).ok()).isTrue();
        }
        throw new AssertionError("no address for %s in %s: %s".formatted(pod, most, last));
    }

    void del(String node, String pod) throws InterruptedException {
        String container = Objects.requireNonNull(containers.get(pod));
        assertThat(call(node, "DEL", container, pod).ok()).isTrue();
        running(node).remove(container);
    }

    private Set<String> running(String node) {
        return Objects.requireNonNull(live.get(node));
    }

    private CniReply call(String node, String command, String container, String pod)
            throws InterruptedException {
        return Objects.requireNonNull(agents.get(node))
                .call(
                        new CniRequest(
                                Map.of(
                                        "CNI_COMMAND",
                                        command,
                                        "CNI_CONTAINERID",
                                        container,
                                        "CNI_IFNAME",
                                        "eth0",
                                        "CNI_NETNS",
                                        "/run/netns/" + container,
                                        "CNI_ARGS",
                                        "K8S_POD_NAMESPACE=default;K8S_POD_NAME=" + pod),
                                "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s\",\"type\":\"coil\"}"));
    }

    World world() {
        Map<String, List<String>> running = new TreeMap<>();
        live.forEach((node, ids) -> running.put(node, List.copyOf(ids)));
        return World.read(api, kernels, running, givenBack);
    }

    @Override
    public void close() {
        server.faults().clear();
        try {
            for (Agent agent : agents.values()) {
                agent.stop();
            }
            controller.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.forEach(ClientKubeApi::close);
        server.close();
    }
}
