package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

/** A used pool that somebody deletes, in each way that Kubernetes has for it. */
@OnBothServers
class PoolDeletionIT {
    private final Servers on;
    private Cluster cluster;
    private RawApi raw;

    PoolDeletionIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.leader();
        raw =
                new RawApi(
                        cluster.server.url(),
                        cluster.server.adminToken(),
                        cluster.server.caCertificate());
    }

    @AfterEach
    void stop() {
        raw.close();
        cluster.close();
    }

    @ParameterizedTest(name = "D2: {0}")
    @ValueSource(strings = {"Background", "Foreground", "Orphan"})
    @DisplayName("D2: a used pool stays, says who holds it, and goes at once after the last block")
    void d2EachPropagationPolicy(String policy) throws Exception {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        eventually(() -> cluster.says("default").guarded());
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        Reports.write(cluster, "n1", Map.of("default-0", 2L, "default-1", 1L));

        int code =
                raw.send(
                                "DELETE",
                                "/apis/coil.cybozu.com/v2/addresspools/default",
                                "{\"kind\": \"DeleteOptions\", \"apiVersion\": \"v1\","
                                        + " \"propagationPolicy\": \"%s\"}".formatted(policy))
                        .statusCode();

        assertThat(code).isEqualTo(200);
        eventually(
                () ->
                        cluster.says("default")
                                .message("Deleting")
                                .startsWith("deleting, held by 2 blocks on n1 (3 pods)"));
        assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
        cluster.giveBack("default-0");
        eventually(
                () ->
                        cluster.says("default")
                                .message("Deleting")
                                .startsWith("deleting, held by 1 block on n1 (1 pod)"));
        assertThat(cluster.exists(Kinds.POOLS, "default")).isTrue();
        cluster.giveBack("default-1");
        Cluster.within(Duration.ofSeconds(3), () -> !cluster.exists(Kinds.POOLS, "default"));
    }
}
