package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    void h5WhenTheBlocksAreOutTheFailureSaysWhoHasThem() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        for (String node : List.of("n1", "n2", "n3")) {
            cluster.node(node);
        }
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        cluster.answer(cluster.request("c", "n2", "default"));
        cluster.answer(cluster.request("d", "n3", "default"));

        BlockRequest answer = cluster.answer(cluster.request("e", "n2", "default"));

        assertThat(answer.failed()).isTrue();
        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("Exhausted");
        assertThat(why.message())
                .isEqualTo(
                        "pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1), 0 leak candidates");
        cluster.giveBack("default-2");
        assertThat(cluster.answer(cluster.request("f", "n2", "default")).complete()).isTrue();
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

    @Test
    void b2TheStatusFailsAndTheReplyOfTheCreateIsLostYetThereIsOneBlock() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        Scope ours = Scope.any().ofUserAgent("c1");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "create",
                                        ours.onVerbs("create").onResource("addressblocks"),
                                        new Effect.LostReply())
                                .times(1));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "status",
                                        ours.onVerbs("update").onResource("blockrequests/status"),
                                        Effect.internalError())
                                .times(5));
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "lag",
                                ours.onVerbs("watch"),
                                new Effect.WatchLag(Duration.ofSeconds(3))));

        BlockRequest answer = cluster.answer(cluster.request("n1", "default"));

        assertThat(answer.complete()).isTrue();
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void theReplyOfTheStatusIsLostYetTheIntentIsKept() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "status",
                                        Scope.any()
                                                .ofUserAgent("c1")
                                                .onVerbs("update")
                                                .onResource("blockrequests/status"),
                                        new Effect.LostReply())
                                .times(2));

        BlockRequest answer = cluster.answer(cluster.request("n1", "default"));

        assertThat(answer.complete()).isTrue();
        assertThat(answer.intent()).isEqualTo("default-0");
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void theNextLeaderFinishesTheIntentEvenWhenThePoolIsFull() {
        cluster.pool("one", 0, "10.2.0.0/32");
        cluster.node("n1");
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
    void e1AnIndexThatIsTakenFailsTheRequestAndTheNextOneGetsAnother() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "stall",
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("watch")
                                        .onResource("addressblocks"),
                                new Effect.WatchStall()));
        cluster.block("default", 0, "n2", "10.1.0.0/31");

        BlockRequest first = cluster.answer(cluster.request("a", "n1", "default"));
        BlockRequest second = cluster.answer(cluster.request("b", "n1", "default"));

        assertThat(Objects.requireNonNull(first.condition(BlockRequest.FAILED)).reason())
                .isEqualTo("IndexTaken");
        assertThat(second.complete()).isTrue();
        assertThat(second.intent()).isEqualTo("default-1");
    }

    @Test
    void a8TwoThatBelieveToLeadGiveTwoDifferentBlocks() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.node("n2");
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
    void d3NoBlockOfAPoolThatIsBeingDeleted() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        BlockRequest answer = cluster.answer(cluster.request("b", "n1", "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("PoolBeingDeleted");
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void d5OverlappingPoolsNeverGiveOverlappingBlocks() {
        cluster.leader();
        cluster.pool("a", 1, "10.1.0.0/29");
        cluster.pool("b", 0, "10.1.0.0/29");
        cluster.node("n1");

        cluster.answer(cluster.request("r1", "n1", "a"));
        cluster.answer(cluster.request("r2", "n1", "b"));
        cluster.answer(cluster.request("r3", "n1", "a"));
        cluster.answer(cluster.request("r4", "n1", "b"));

        assertThat(cluster.blocks().stream().map(AddressBlock::ipv4))
                .containsExactlyInAnyOrder(
                        "10.1.0.0/31", "10.1.0.2/32", "10.1.0.4/31", "10.1.0.3/32");
    }

    @Test
    void f5ANameThatIsTooLongIsToldAtOnce() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        String node = "n".repeat(70);
        cluster.node(node);

        BlockRequest answer = cluster.answer(cluster.request("long", node, "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("NameTooLong");
    }

    @Test
    void theLimitPerNodeHolds() {
        cluster.leader();
        cluster.pool("default", Map.of(Names.MAX_BLOCKS_PER_NODE, "1"), 1, "10.1.0.0/29");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));

        BlockRequest answer = cluster.answer(cluster.request("b", "n1", "default"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("NodeLimit");
    }

    @Test
    void anUnknownPoolIsToldAtOnce() {
        cluster.leader();
        cluster.node("n1");

        BlockRequest answer = cluster.answer(cluster.request("n1", "nowhere"));

        BlockRequest.Condition why = Objects.requireNonNull(answer.condition(BlockRequest.FAILED));
        assertThat(why.reason()).isEqualTo("UnknownPool");
    }

    @Test
    void e2AnsweredSoonAfterTheApiIsWellAgain() {
        cluster.leader();
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.node("n1");
        FaultRule down =
                cluster.server
                        .faults()
                        .add(
                                Scope.any()
                                        .ofUserAgent("c1")
                                        .onVerbs("create")
                                        .onResource("addressblocks"),
                                Effect.unavailable());
        BlockRequest request = cluster.request("n1", "default");
        eventually(() -> cluster.reread(request).intent() != null);

        cluster.server.faults().remove(down.id());

        Cluster.within(Duration.ofSeconds(5), () -> cluster.reread(request).complete());
    }

    @Test
    void e5AHundredNodesAskAtOnceAndAFifthOfTheWritesConflict() {
        cluster.leader();
        cluster.pool("default", 0, "10.1.0.0/24");
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "conflicts",
                                        Scope.any()
                                                .ofUserAgent("c1")
                                                .onVerbs("update")
                                                .onResource("blockrequests/status"),
                                        Effect.conflict())
                                .withProbability(0.2));
        List<BlockRequest> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            cluster.node("n" + i);
            requests.add(cluster.request("n" + i, "default"));
        }

        Cluster.within(
                Duration.ofSeconds(30),
                () -> requests.stream().allMatch(r -> cluster.reread(r).complete()));

        assertThat(cluster.blockNames()).hasSize(100).doesNotHaveDuplicates();
    }
}
