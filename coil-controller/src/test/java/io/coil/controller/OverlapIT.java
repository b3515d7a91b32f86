package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.pool.BlockRange;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** The webhook was away, and pools overlap: blocks never do. */
@OnBothServers
class OverlapIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Servers on;
    private Cluster cluster;

    OverlapIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        for (int i = 0; i < 4; i++) {
            cluster.node("n" + i);
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("D5: of two overlapping pools that are asked at once, no blocks overlap")
    void d5ManyAskOverlappingPoolsAtOnce() {
        cluster.leader();
        cluster.pool("a", 1, "10.1.0.0/28");
        cluster.pool("b", 0, "10.1.0.0/28");
        Asking asking = new Asking(cluster);

        for (int i = 0; i < 16; i++) {
            asking.ask("n" + i % 4, i % 2 == 0 ? "a" : "b");
        }
        List<BlockRequest> answers = asking.answers(LONG);

        // 16 addresses: whoever got none was told that there is none
        assertThat(answers)
                .allSatisfy(
                        a ->
                                assertThat(a.complete() || Asking.reason(a).equals("Exhausted"))
                                        .isTrue());
        assertThat(answers.stream().filter(BlockRequest::complete).count()).isGreaterThan(7);
        assertNoOverlap();
    }

    @Test
    @DisplayName("D5: of two overlapping pools, each block walks around the other pool's")
    void d5OverlappingPoolsNeverGiveOverlappingBlocks() {
        cluster.leader();
        cluster.pool("a", 1, "10.1.0.0/29");
        cluster.pool("b", 0, "10.1.0.0/29");

        cluster.answer(cluster.request("r1", "n1", "a"));
        cluster.answer(cluster.request("r2", "n1", "b"));
        cluster.answer(cluster.request("r3", "n1", "a"));
        cluster.answer(cluster.request("r4", "n1", "b"));

        assertThat(cluster.blocks().stream().map(AddressBlock::ipv4))
                .containsExactlyInAnyOrder(
                        "10.1.0.0/31", "10.1.0.2/32", "10.1.0.4/31", "10.1.0.3/32");
    }

    @Test
    @DisplayName("A8, D5: two that believe to lead, and pools that overlap: no blocks overlap")
    void a8TwoLeadersAndOverlappingPools() {
        cluster.pool("a", 1, "10.1.0.0/27");
        cluster.pool("b", 1, "10.1.0.0/27");
        // the first looks at its lease every 5 s, so it does not notice that it was taken away
        Controller first =
                cluster.leader(
                        "controller.lease-duration", "10s",
                        "controller.lease-renew-deadline", "8s",
                        "controller.lease-retry", "5s");
        cluster.api.delete(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE, Preconditions.NONE);
        Controller second = cluster.leader();
        assertThat(first.isGranting()).isTrue();
        Asking asking = new Asking(cluster);

        for (int i = 0; i < 12; i++) {
            asking.ask("n" + i % 4, i % 2 == 0 ? "a" : "b");
        }
        assertThat(second.isGranting() && first.isGranting()).isTrue();
        List<BlockRequest> answers = asking.answers(LONG);

        assertThat(answers).allSatisfy(a -> assertThat(a.complete()).isTrue());
        // a request that one of them gave up while the other made its block leaves that block to
        // its node's agent
        assertThat(cluster.blockNames())
                .containsAll(answers.stream().map(a -> String.valueOf(a.intent())).toList());
        assertNoOverlap();
    }

    @Test
    @DisplayName(
            "A11: a pool made again with blocks of another size walks around those that are left")
    void a11AnotherSize() {
        cluster.leader();
        cluster.block("default", 0, "n0", "10.1.0.0/30");
        cluster.pool("default", 1, "10.1.0.0/29");
        Asking asking = new Asking(cluster);

        asking.ask("n1", "default");
        asking.ask("n2", "default");
        asking.ask("n3", "default");
        List<BlockRequest> answers = asking.answers(LONG);

        assertThat(answers.stream().filter(BlockRequest::complete).count()).isEqualTo(2);
        assertThat(cluster.blocks().stream().map(AddressBlock::ipv4))
                .containsExactlyInAnyOrder("10.1.0.0/30", "10.1.0.4/31", "10.1.0.6/31");
        assertNoOverlap();
    }

    @Test
    @DisplayName("A10: the index of a block that outlived its pool is taken")
    void a10ThePoolVanishedAndIsMadeAgain() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        BlockRequest first = cluster.answer(cluster.request("n1", "default"));
        assertThat(first.intent()).isEqualTo("default-0");
        // no webhook here: the finalizer comes beside the grant
        Cluster.eventually(
                () ->
                        Finalizers.has(
                                cluster.api
                                        .get(Kinds.POOLS, null, "default")
                                        .orElseThrow()
                                        .metadata()));
        // by force: nobody asks its finalizer, or its blocks
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
        cluster.api.patch(
                Kinds.POOLS,
                null,
                "default",
                Preconditions.NONE,
                "{\"metadata\":{\"finalizers\":[]}}");
        Cluster.eventually(() -> !cluster.exists(Kinds.POOLS, "default"));
        cluster.pool("default", 1, "10.1.0.0/29");

        BlockRequest second = cluster.answer(cluster.request("n2", "default"));

        assertThat(second.complete()).isTrue();
        assertThat(second.intent()).isEqualTo("default-1");
        assertNoOverlap();
    }

    private void assertNoOverlap() {
        List<BlockRange> ranges =
                cluster.blocks().stream().map(b -> b.range().orElseThrow()).toList();
        for (int i = 0; i < ranges.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(ranges.get(i).overlaps(ranges.get(j)))
                        .as("1: %s and %s", ranges.get(i), ranges.get(j))
                        .isFalse();
            }
        }
    }
}
