package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** A pool is kept while it has blocks. */
@OnBothServers
class PoolIT {
    private final Servers on;
    private Cluster cluster;

    PoolIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aPoolMadeWithoutTheWebhookGetsItsFinalizer() {
        cluster.pool("default", 1, "10.1.0.0/29");

        cluster.leader();

        eventually(() -> cluster.says("default").guarded());
    }

    @Test
    void aPoolWithoutBlocksGoesAtOnce() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        eventually(() -> cluster.says("default").guarded());

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        Cluster.within(Duration.ofSeconds(1), () -> !cluster.exists(Kinds.POOLS, "default"));
    }

    @Test
    void thePoolGoesAlthoughTheWatchIsSilent() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        eventually(() -> cluster.says("default").guarded());
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
        eventually(() -> cluster.says("default").message("Deleting") != null);
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "stall",
                                Scope.any().ofUserAgent("c1").onVerbs("watch"),
                                new Effect.WatchStall()));

        cluster.giveBack("default-0");

        Cluster.within(Duration.ofSeconds(8), () -> !cluster.exists(Kinds.POOLS, "default"));
    }
}
