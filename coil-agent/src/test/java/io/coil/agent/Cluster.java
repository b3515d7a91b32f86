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
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An API server, machines with an agent each (the first is n1), and somebody who grants; short
 * waits.
 */
final class Cluster extends ApiObjects implements AutoCloseable {
    private static final String ADDRESS = "172.18.0.2";
    private static final Path CRDS = Path.of("../helm/coil/crds");
    private static final String AGENT = "agent-";

    final ApiServer server;
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
    private Timeline.@Nullable Running granting;

    Cluster(String... overrides) throws IOException {
        this(serve(), overrides);
    }

    private Cluster(ApiServer server, String... overrides) {
        super(client(server, server.adminToken(), "test"));
        this.server = server;
        for (int i = 0; i < overrides.length; i += 2) {
            settings.put(overrides[i], overrides[i + 1]);
        }
        granter = new HandGranter(api);
        n1 = machine(NODE, ADDRESS);
        kernel = n1.kernel;
        node(NODE, ADDRESS);
        namespace("default", null);
    }

    private static ApiServer serve() throws IOException {
        try (var files = Files.list(CRDS)) {
            return ApiServer.builder().crds(files.sorted().toList()).port(0).build().start();
        }
    }

    private static ClientKubeApi client(ApiServer server, String token, String name) {
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
        Machine made = new Machine(name, address, client(server, token, "coil-agent"), settings);
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
