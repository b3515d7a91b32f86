package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Condition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

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

        eventually(() -> guarded("default"));
    }

    @Test
    void aPoolWithoutBlocksGoesAtOnce() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        eventually(() -> guarded("default"));

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        Cluster.within(Duration.ofSeconds(1), () -> !cluster.exists(Kinds.POOLS, "default"));
    }

    @Test
    void d2APoolStaysWhileItHasBlocksSaysWhoHoldsItAndGoesAtOnceAfterTheLast() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.node("n2");
        eventually(() -> guarded("default"));
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        cluster.answer(cluster.request("c", "n2", "default"));

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        eventually(
                () ->
                        message("default", "Deleting")
                                .startsWith("deleting, held by 2 blocks on n1, 1 block on n2"));
        cluster.giveBack("default-0");
        cluster.giveBack("default-1");
        assertThat(cluster.exists(Kinds.POOLS, "default")).isTrue();
        cluster.giveBack("default-2");
        Cluster.within(Duration.ofSeconds(1), () -> !cluster.exists(Kinds.POOLS, "default"));
    }

    @Test
    void thePoolGoesAlthoughTheWatchIsSilent() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        eventually(() -> guarded("default"));
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
        eventually(() -> message("default", "Deleting") != null);
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

    private boolean guarded(String pool) {
        return Meta.finalizers(pool(pool).metadata()).contains(Names.FINALIZER);
    }

    private AddressPool pool(String name) {
        return cluster.api.get(Kinds.POOLS, null, name).orElseThrow();
    }

    private AddressPool.Status status(String pool) {
        return Objects.requireNonNull(pool(pool).status());
    }

    private V1Condition condition(String pool, String type) {
        return Optional.ofNullable(status(pool).conditions()).orElseThrow().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private String message(String pool, String type) {
        return condition(pool, type).getMessage();
    }
}
