package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.coil.admin.AdminApplication;
import io.coil.agent.Agent;
import io.coil.agent.AgentSettings;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.apiserver.rest.RequestLog;
import io.coil.controller.Controller;
import io.coil.controller.settings.ControllerSettings;
import io.coil.core.net.Address;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Scenario D1: with the rights that the chart ships, and no others, everything works and nobody is
 * ever refused. The programs are the real ones, with the accounts of the chart.
 */
@OnBothServers
class ShippedRightsIT {
    private static final int GONE_WITHIN = 5;
    private static final String RELEASE =
            "{\"confirm\":\"default-0\",\"fenced\":true,\"reason\":\"x\"}";
    private static final String ACCOUNT = "system:serviceaccount:" + RenderedChart.NAMESPACE + ":";

    private final Timeline time = new VirtualThreads();
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final ChartCluster cluster;

    ShippedRightsIT(Servers on) {
        cluster = new ChartCluster(on);
    }

    @BeforeEach
    void cluster() throws Exception {
        running.push(cluster);
        cluster.start(RenderedChart.with(Map.of()));
        cluster.apply(
                """
                {apiVersion: v1, kind: Node, metadata: {name: n1},
                 status: {addresses: [{type: InternalIP, address: 192.168.0.1}],
                          conditions: [{type: Ready, status: "True"}]}}
                """);
        cluster.apply(
                """
                {apiVersion: coil.cybozu.com/v2, kind: AddressPool, metadata: {name: default},
                 spec: {blockSizeBits: 0, subnets: [{ipv4: 10.0.0.0/31}]}}
                """);
    }

    @AfterEach
    void stop() throws Exception {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    @Test
    @DisplayName("D1: with the shipped rights everything works and nobody is refused")
    void d1() throws Exception {
        // given
        startController();
        Agent agent = startAgent();
        URI admin = startAdmin();

        // when somebody makes a pool and deletes it again
        cluster.apply(
                """
                {apiVersion: coil.cybozu.com/v2, kind: AddressPool, metadata: {name: test-pool},
                 spec: {blockSizeBits: 0, subnets: [{ipv4: 10.9.0.0/30}]}}
                """);
        cluster.delete("addresspools", "test-pool");
        await().atMost(GONE_WITHIN, SECONDS)
                .until(() -> !cluster.exists("addresspools", "test-pool"));

        // and a pod gets the one address, another one the last, and a third finds nothing
        await().atMost(20, SECONDS).until(() -> add(agent, "c1").ok());
        await().atMost(20, SECONDS).until(() -> add(agent, "c2").ok());
        assertThat(add(agent, "c3").ok()).isFalse();

        // and pods go
        assertThat(call(agent, "DEL", "c3").ok()).isTrue();
        assertThat(call(agent, "DEL", "c2").ok()).isTrue();
        await().atMost(20, SECONDS).until(() -> !cluster.exists("addressblocks", "default-1"));

        // and a node has gone that left a block and a request
        cluster.apply(
                """
                {apiVersion: coil.cybozu.com/v2, kind: AddressBlock, index: 1, ipv4: 10.0.0.1/32,
                 metadata: {name: default-1, finalizers: [coil.cybozu.com],
                   labels: {coil.cybozu.com/pool: default, coil.cybozu.com/node: gone}}}
                """);
        cluster.apply(
                """
                {apiVersion: coil.cybozu.com/v2, kind: BlockRequest, metadata: {name: req-old},
                 spec: {nodeName: gone, poolName: default}}
                """);
        await().atMost(20, SECONDS).until(() -> !cluster.exists("addressblocks", "default-1"));
        await().atMost(20, SECONDS).until(() -> !cluster.exists("blockrequests", "req-old"));

        // and somebody looks, and somebody collects
        assertThat(get(admin, "/api/v1/nodes", cluster.token("anna")).statusCode()).isEqualTo(200);
        assertThat(collect(admin, cluster.token("anna")).statusCode()).isEqualTo(403);
        HttpResponse<String> collected = collect(admin, cluster.token("olga"));
        assertThat(collected.statusCode()).as(collected.body()).isEqualTo(202);
        String run = collected.headers().firstValue("Location").orElseThrow();
        await().atMost(30, SECONDS)
                .untilAsserted(
                        () ->
                                assertThat(
                                                get(
                                                                admin,
                                                                URI.create(run).getPath(),
                                                                cluster.token("anna"))
                                                        .body())
                                        .as(() -> cluster.requests().toString())
                                        .contains("\"phase\":\"completed\""));

        // and somebody changes what their role lets them
        for (String change :
                List.of(
                        "/api/v1/pools/default/drain {\"reason\":\"x\"}",
                        "/api/v1/pools/default/drain {\"drain\":false,\"reason\":\"x\"}",
                        "/api/v1/pools/default/collection-mode {\"mode\":\"manual\",\"reason\":\"x\"}",
                        "/api/v1/pools/default/collection-mode {\"mode\":null,\"reason\":\"x\"}",
                        "/api/v1/pools/default/subnets {\"subnets\":[{\"ipv4\":\"10.0.1.0/31\"}],\"reason\":\"x\"}",
                        "/api/v1/pools {\"name\":\"more\",\"subnets\":[{\"ipv4\":\"10.0.2.0/24\"}],\"reason\":\"x\"}",
                        "/api/v1/blocks/default-0/drain {\"reason\":\"x\"}",
                        "/api/v1/blocks/default-0/drain {\"drain\":false,\"reason\":\"x\"}")) {
            assertThat(changed(admin, change, "anna")).as(change).isEqualTo(403);
            assertThat(changed(admin, change, "nora")).as(change).isEqualTo(403);
            assertThat(changed(admin, change, "olga")).as(change).isIn(200, 201);
        }
        String release = "/api/v1/blocks/default-0/release " + RELEASE;
        assertThat(changed(admin, release, "anna")).isEqualTo(403);
        assertThat(changed(admin, release, "olga")).as("the node lives").isEqualTo(409);
        String node = "/api/v1/nodes/n1/collection-mode {\"mode\":\"on\",\"reason\":\"x\"}";
        assertThat(changed(admin, node, "olga")).isEqualTo(403);
        assertThat(changed(admin, node, "nora")).isEqualTo(200);

        // and the pool is deleted, and the last pod goes
        cluster.delete("addresspools", "default");
        assertThat(cluster.exists("addresspools", "default")).isTrue();
        assertThat(call(agent, "DEL", "c1").ok()).isTrue();

        // then all is gone, and nobody was refused
        await().atMost(GONE_WITHIN, SECONDS)
                .until(() -> !cluster.exists("addresspools", "default"));
        assertThat(cluster.requests().counts().keySet().stream().filter(this::isOurs))
                .extracting(RequestLog.Kind::user)
                .containsAll(programs());
        assertThat(cluster.refusals(ACCOUNT)).isEmpty();
    }

    private static Set<String> programs() {
        return Set.of(ACCOUNT + "coil-controller", ACCOUNT + "coil-agent", ACCOUNT + "coil-admin");
    }

    private boolean isOurs(RequestLog.Kind kind) {
        return kind.user().startsWith(ACCOUNT);
    }

    private void startController() {
        Map<String, String> settings =
                Map.of(
                        "coil.controller.node-grace", "500ms",
                        "coil.controller.pool-status-interval", "200ms",
                        "coil.controller.request-poll", "500ms",
                        "coil.controller.collection-interval", "1s");
        ClientKubeApi api = cluster.api(ACCOUNT + "coil-controller");
        Controller controller =
                new Controller(
                        api,
                        time,
                        ControllerSettings.read(settings::get, "one"),
                        new SimpleMeterRegistry());
        controller.start();
        running.push(api);
        running.push(controller::stop);
        await().atMost(20, SECONDS).until(controller::isGranting);
    }

    private Agent startAgent() {
        Map<String, String> settings =
                Map.of(
                        "coil.node-name", "n1",
                        "coil.agent.add-wait", "2s",
                        "coil.agent.linger", "0s",
                        "coil.agent.demand-hold", "500ms",
                        "coil.agent.report-interval", "200ms",
                        "coil.agent.collection-interval", "1s");
        ClientKubeApi api = cluster.api(ACCOUNT + "coil-agent");
        Agent agent =
                new Agent(
                        api,
                        new SimulatedKernel(Set.of(Address.parse("192.168.0.1"))),
                        time,
                        AgentSettings.read(settings::get, "test"));
        agent.start();
        running.push(api);
        running.push(agent::stop);
        await().atMost(20, SECONDS).until(() -> agent.notServing() == null);
        return agent;
    }

    private URI startAdmin() {
        ClientKubeApi api = cluster.api(ACCOUNT + "coil-admin");
        ConfigurableApplicationContext admin =
                AdminApplication.run(
                        Map.of(
                                "server.port",
                                0,
                                "management.server.port",
                                0,
                                "coil.admin.history",
                                "none"),
                        api,
                        time,
                        (token, warnings) -> cluster.apiWith(token));
        running.push(api);
        running.push(admin);
        return AdminApplication.uri(admin);
    }

    private static CniReply add(Agent agent, String container) throws InterruptedException {
        return call(agent, "ADD", container);
    }

    private static CniReply call(Agent agent, String command, String container)
            throws InterruptedException {
        return agent.call(
                new CniRequest(
                        Map.of(
                                "CNI_COMMAND",
                                command,
                                "CNI_CONTAINERID",
                                container,
                                "CNI_NETNS",
                                "/run/netns/" + container,
                                "CNI_IFNAME",
                                "eth0",
                                "CNI_PATH",
                                "/opt/cni/bin",
                                "CNI_ARGS",
                                "K8S_POD_NAMESPACE=default;K8S_POD_NAME=pod-" + container),
                        "{\"cniVersion\": \"1.0.0\", \"name\": \"k8s-pod-network\", \"type\": \"coil\"}"));
    }

    private static HttpResponse<String> get(URI admin, String path, String token) throws Exception {
        return send(HttpRequest.newBuilder(admin.resolve(path)).GET(), token);
    }

    /** The path, a blank, the body. */
    private int changed(URI admin, String change, String user) throws Exception {
        int blank = change.indexOf(' ');
        return send(
                        HttpRequest.newBuilder(admin.resolve(change.substring(0, blank)))
                                .header("Content-Type", "application/json")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                change.substring(blank + 1))),
                        cluster.token(user))
                .statusCode();
    }

    private static HttpResponse<String> collect(URI admin, String token) throws Exception {
        return send(
                HttpRequest.newBuilder(admin.resolve("/api/v1/collections"))
                        .header("Content-Type", "application/json")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"nodes\": [\"n1\"], \"reason\": \"to see\"}")),
                token);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String token)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    request.header("Authorization", "Bearer " + token)
                            .timeout(Duration.ofSeconds(20))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
