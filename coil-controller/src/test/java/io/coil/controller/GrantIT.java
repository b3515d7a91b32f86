package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;

/** What a grant leaves behind, and what it costs. */
@OnBothServers
class GrantIT {
    private final Servers on;
    private Cluster cluster;

    GrantIT(Servers on) {
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
    void aBlockIsNamedByItsIndexAndSaysWhoseItIs() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");

        BlockRequest answer = cluster.answer(cluster.request("n1", "default"));

        assertThat(answer.complete()).isTrue();
        assertThat(answer.intent()).isEqualTo("default-0");
        AddressBlock block = cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow();
        assertThat(block.index()).isZero();
        assertThat(block.ipv4()).isEqualTo("10.1.0.0/31");
        assertThat(block.metadata().getLabels())
                .containsEntry(Names.POOL, "default")
                .containsEntry(Names.NODE, "n1")
                .containsEntry(Names.REQUEST, Meta.uid(answer.metadata()));
        assertThat(block.metadata().getFinalizers()).containsExactly(Names.FINALIZER);
        V1OwnerReference owner =
                Objects.requireNonNull(block.metadata().getOwnerReferences()).getFirst();
        assertThat(owner.getUid())
                .isEqualTo(
                        Meta.uid(
                                cluster.api
                                        .get(Kinds.POOLS, null, "default")
                                        .orElseThrow()
                                        .metadata()));
        assertThat(owner.getController()).isTrue();
        assertThat(owner.getBlockOwnerDeletion()).isTrue();
        BlockRequest.Condition condition =
                Objects.requireNonNull(answer.condition(BlockRequest.COMPLETE));
        assertThat(condition.lastProbeTime()).isNotNull();
        assertThat(condition.lastTransitionTime()).isNotNull();
    }

    @Test
    void aGrantIsAtMostThreeWrites() {
        cluster.leader("controller.pool-status-interval", "1h");
        cluster.pool("default", 0, "10.1.0.0/24");
        cluster.node("n1");
        eventually(
                () ->
                        Meta.finalizers(
                                        cluster.api
                                                .get(Kinds.POOLS, null, "default")
                                                .orElseThrow()
                                                .metadata())
                                .contains(Names.FINALIZER));
        cluster.server.requests().reset();

        for (int i = 0; i < 5; i++) {
            cluster.answer(cluster.request("r" + i, "n1", "default"));
        }

        long writes =
                cluster.server
                                .requests()
                                .sum(
                                        k ->
                                                k.write()
                                                        && (k.resource().equals("blockrequests")
                                                                || k.resource()
                                                                        .equals("addressblocks")))
                        - 5; // the requests themselves
        assertThat(writes).isEqualTo(15);
    }

    @Test
    void aBlockThatWasJustGivenBackIsNeverMissed() {
        cluster.leader();
        cluster.pool("one", 0, "10.2.0.0/32");
        cluster.node("n1");
        cluster.node("n2");
        // the watch of the controller is late by far more than a grant takes
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "lag",
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("watch")
                                        .onResource("addressblocks"),
                                new Effect.WatchLag(Duration.ofMillis(700))));

        for (int i = 0; i < 10; i++) {
            BlockRequest answer =
                    cluster.answer(cluster.request("r" + i, i % 2 == 0 ? "n1" : "n2", "one"));
            assertThat(answer.complete()).as("round %d: %s", i, answer.status()).isTrue();
            cluster.giveBack("one-0");
        }
    }
}
