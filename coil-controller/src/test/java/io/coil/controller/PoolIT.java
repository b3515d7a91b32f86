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
import io.kubernetes.client.openapi.models.V1Condition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** A pool is kept while it has blocks, and says how it is. */
class PoolIT {
    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = new Cluster();
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
                        "deleting, held by 2 blocks on n1, 1 block on n2"
                                .equals(message("default", "Deleting")));
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

    @Test
    void theStatusHasExactNumbers() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));

        eventually(() -> "1".equals(counts("default").used()));

        AddressPool.Count blocks = counts("default");
        assertThat(blocks).isEqualTo(new AddressPool.Count("4", "1", "3", "0"));
        assertThat(Objects.requireNonNull(status("default").addresses()).total()).isEqualTo("8");
        assertThat(condition("default", "Ready").getStatus()).isEqualTo("True");
        assertThat(condition("default", "Exhausted").getStatus()).isEqualTo("False");
    }

    @Test
    void overlapAndExhaustionAreConditions() {
        cluster.leader();
        cluster.pool("a", 0, "10.1.0.0/32");
        cluster.pool("b", 0, "10.1.0.0/30");
        cluster.node("n1");
        cluster.answer(cluster.request("r", "n1", "a"));

        eventually(() -> condition("a", "Exhausted").getStatus().equals("True"));

        assertThat(message("a", "Exhausted")).isEqualTo("pool a: 1/1 blocks in use (n1: 1)");
        assertThat(message("b", "Overlapping")).isEqualTo("shares addresses with a");
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        eventually(() -> guarded("default") && status("default").blocks() != null);
        long before = statusWrites();

        cluster.node("n1");
        cluster.ready("n1", false);
        cluster.ready("n1", true);
        cluster.answer(cluster.request("r", "n1", "nowhere"));

        assertThat(statusWrites()).isEqualTo(before);
    }

    private long statusWrites() {
        return cluster.server.requests().sum(k -> k.resource().equals("addresspools") && k.write());
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

    private AddressPool.Count counts(String pool) {
        return Objects.requireNonNull(status(pool).blocks());
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
