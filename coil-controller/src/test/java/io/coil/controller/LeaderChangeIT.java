package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** One leader after another, or two at once, and what the one before was at. */
@OnBothServers
class LeaderChangeIT {
    private final Servers on;
    private Cluster cluster;

    LeaderChangeIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.node("n2");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("A7: the next leader's first list is 5 s late: no grant before, then default-1")
    void a7TheFirstListIsLate() throws InterruptedException {
        Controller first = cluster.leader();
        cluster.answer(cluster.request("a", "n1", "default"));
        first.stop();
        cluster.server
                .faults()
                .add(FaultRule.of("late", lists("c2"), Effect.latency(Duration.ofSeconds(5))));
        Controller second = cluster.controller();
        BlockRequest request = cluster.request("b", "n1", "default");
        long begun = cluster.timeline.nanos();

        Cluster.within(Duration.ofSeconds(20), () -> !cluster.reread(request).open());

        assertThat(Duration.ofNanos(cluster.timeline.nanos() - begun))
                .isGreaterThan(Duration.ofSeconds(4));
        assertThat(second.isGranting()).isTrue();
        assertThat(cluster.reread(request).intent()).isEqualTo("default-1");
    }

    @Test
    @DisplayName("A7: the next leader's lists are stale: what is taken is taken, and asked anew")
    void a7TheFirstListIsStale() throws InterruptedException {
        long empty =
                Long.parseLong(cluster.api.list(Kinds.BLOCKS, Selection.ALL).resourceVersion());
        Controller first = cluster.leader();
        cluster.answer(cluster.request("a", "n1", "default"));
        first.stop();
        cluster.server
                .faults()
                .add(FaultRule.of("stale", lists("c2"), new Effect.StaleListAsOf(empty)));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "stall",
                                Scope.any()
                                        .ofUserAgent("c2")
                                        .onVerbs("watch")
                                        .onResource("addressblocks"),
                                new Effect.WatchStall()));
        cluster.leader();
        Asking asking = new Asking(cluster);

        asking.ask("n1", "default");
        List<BlockRequest> answers = asking.answers(Duration.ofSeconds(10));

        // a conflict is no error that is tried again and again: one failure, then the next index
        assertThat(answers.getFirst().intent()).isEqualTo("default-1");
        assertThat(asking.anew()).isEqualTo(1);
    }

    @Test
    @DisplayName("A7: what the leader before has intended is nobody else's")
    void a7IntentsOfTheLeaderBeforeAreRemembered() {
        // given a request whose intent was recorded, by a leader that died then; its node is away,
        // so that nobody finishes it, and nobody collects it
        BlockRequest intended = intend(cluster.request("a", "away", "default"), "default-0");
        cluster.leader("collection", "off");

        BlockRequest other = cluster.answer(cluster.request("b", "n2", "default"));

        assertThat(other.intent()).isEqualTo("default-1");
        assertThat(other.complete()).isTrue();
        // and when the request is gone, its index is free again
        cluster.api.delete(Kinds.REQUESTS, null, "a", Preconditions.of(intended.metadata()));
        Cluster.eventually(
                () -> {
                    BlockRequest next = cluster.answer(cluster.request("n2", "default"));
                    String got = String.valueOf(next.intent());
                    cluster.api.delete(
                            Kinds.REQUESTS, null, Meta.name(next.metadata()), Preconditions.NONE);
                    cluster.giveBack(got);
                    return got.equals("default-0");
                });
    }

    @Test
    void theNextLeaderFinishesTheIntentEvenWhenThePoolIsFull() {
        cluster.pool("one", 0, "10.2.0.0/32");
        BlockRequest request = cluster.request("n1", "one");
        String uid = Meta.uid(request.metadata());
        cluster.api.replaceStatus(
                Kinds.REQUESTS,
                new BlockRequest(
                        request.apiVersion(),
                        request.kind(),
                        request.metadata(),
                        request.spec(),
                        new BlockRequest.Status("one-0", null)));
        AddressBlock block = cluster.block("one", 0, "n1", "10.2.0.0/32");
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                "one-0",
                Preconditions.of(block.metadata()),
                "{\"metadata\":{\"labels\":{\"coil.cybozu.com/request\":\"" + uid + "\"}}}");

        cluster.leader();

        assertThat(cluster.answer(request).complete()).isTrue();
        assertThat(cluster.blockNames()).containsExactly("one-0");
    }

    @Test
    @DisplayName("A8: two that believe to lead give two different blocks")
    void a8TwoThatBelieveToLeadGiveTwoDifferentBlocks() {
        // the first looks at its lease every 5 s, so it does not notice that it was taken away
        Controller first =
                cluster.leader(
                        "controller.lease-duration", "10s",
                        "controller.lease-renew-deadline", "8s",
                        "controller.lease-retry", "5s");
        cluster.api.delete(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE, Preconditions.NONE);
        Controller second = cluster.leader();
        assertThat(first.isGranting()).isTrue();

        BlockRequest one = cluster.request("n1", "default");
        BlockRequest two = cluster.request("n2", "default");

        assertThat(second.isGranting() && first.isGranting()).isTrue();
        for (BlockRequest request : List.of(one, two)) {
            BlockRequest answer = cluster.answer(request);
            while (answer.failed()) {
                // an agent asks anew
                assertThat(Objects.requireNonNull(answer.condition(BlockRequest.FAILED)).reason())
                        .isEqualTo("IndexTaken");
                cluster.api.delete(
                        Kinds.REQUESTS,
                        null,
                        Meta.name(answer.metadata()),
                        Preconditions.of(answer.metadata()));
                answer = cluster.answer(cluster.request(answer.spec().nodeName(), "default"));
            }
            assertThat(answer.complete()).isTrue();
        }
        assertThat(cluster.blockNames()).hasSize(2);
        assertThat(cluster.blocks().stream().map(AddressBlock::node))
                .containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    @DisplayName("A8: a leader that was held up in a grant while another took over ends it nowhere")
    void a8TheFormerLeaderIsHeldUpBeforeTheBlock() {
        // given a leader whose creates of blocks hang, and which loses its lease meanwhile
        FaultRule held =
                cluster.server
                        .faults()
                        .add(
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("create")
                                        .onResource("addressblocks"),
                                Effect.latency(Duration.ofSeconds(3)));
        Controller first = cluster.leader(Cluster.SHORT_LEASE);
        BlockRequest one = cluster.request("a", "n1", "default");
        Cluster.eventually(() -> cluster.reread(one).intent() != null);
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "no lease",
                                Scope.any().ofUserAgent("c1").onResource("leases"),
                                Effect.unavailable()));

        // when the next one leads and finishes what was begun
        Controller second = cluster.leader();
        BlockRequest answer = cluster.answer(one);
        BlockRequest two = cluster.answer(cluster.request("b", "n2", "default"));

        // then the one intent was finished once, whoever's create came first
        assertThat(first.isLeader()).isFalse();
        assertThat(second.isGranting()).isTrue();
        assertThat(answer.complete()).isTrue();
        assertThat(answer.intent()).isEqualTo("default-0");
        assertThat(two.intent()).isEqualTo("default-1");
        cluster.server.faults().remove(held.id());
        assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
    }

    private BlockRequest intend(BlockRequest request, String block) {
        return cluster.api.replaceStatus(
                Kinds.REQUESTS,
                new BlockRequest(
                        Names.COIL_API,
                        "BlockRequest",
                        request.metadata(),
                        request.spec(),
                        new BlockRequest.Status(block, null)));
    }

    private static Scope lists(String client) {
        return Scope.any().ofUserAgent(client).onVerbs("list").onResource("addressblocks");
    }
}
