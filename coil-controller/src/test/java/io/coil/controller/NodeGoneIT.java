package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A Node goes, or seems to: what becomes of its blocks. */
@OnBothServers
class NodeGoneIT {
    private final Servers on;
    private Cluster cluster;

    NodeGoneIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("default", 1, "10.1.0.0/24");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest(name = "Kubernetes'' own collector: {0}")
    @DisplayName(
            "B6: 20 times a node appears, gets a block, goes: no block of a missing node stays")
    @ValueSource(booleans = {true, false})
    void b6NoBlockOfAMissingNodeStaysRoundAfterRound(boolean ownCollector) {
        assumeTrue(ownCollector || on == Servers.IN_JVM, "a real one always has it");
        cluster.close();
        cluster = new Cluster(on, b -> b.garbageCollection(ownCollector));
        cluster.pool("default", 1, "10.1.0.0/24");
        cluster.leader("controller.node-grace", "100ms");
        for (int round = 0; round < 20; round++) {
            cluster.node("n1");
            BlockRequest request = cluster.request("n1", "default");
            assertThat(cluster.answer(request).complete()).isTrue();
            cluster.deleteNode("n1");
            eventually(
                    () ->
                            cluster.blocks().isEmpty()
                                    && !cluster.exists(
                                            Kinds.REQUESTS, Meta.name(request.metadata())));
        }
    }

    @Test
    @DisplayName("F1: a node with that name again keeps all its blocks: its agent decides")
    void f1ANodeWithThatNameAgainKeepsAllItsBlocksForItsAgentToDecide() {
        cluster.leader();
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        // the watch tells of the deletion late, and not of the new Node
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "lag",
                                Scope.any().ofUserAgent("c1").onVerbs("watch").onResource("nodes"),
                                new Effect.WatchLag(Duration.ofMillis(1500))));
        cluster.deleteNode("n1");
        await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
        cluster.node("n1");
        cluster.answer(cluster.request("b", "n1", "default"));

        Cluster.stays(
                Duration.ofMillis(2500),
                () -> cluster.blockNames().equals(List.of("default-0", "default-1")));
    }

    @Test
    @DisplayName("F2: a node that comes back within the grace keeps its blocks")
    void f2ANodeThatComesBackWithinTheGraceKeepsItsBlocks() {
        cluster.leader("controller.node-grace", "1500ms");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.deleteNode("n1");
        await().pollDelay(Duration.ofMillis(400)).until(() -> true);
        cluster.node("n1");

        Cluster.stays(
                Duration.ofMillis(2500), () -> cluster.blockNames().equals(List.of("default-0")));
    }

    @Test
    @DisplayName("F7: n1 is renamed n1b: its blocks are released, n1b gets its own")
    void f7ARenamedNodesBlocksAreReleased() {
        cluster.leader();
        cluster.node("n1");
        AddressBlock old = granted("n1");
        cluster.deleteNode("n1");
        cluster.node("n1b");
        AddressBlock own = granted("n1b");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, Meta.name(old.metadata())));

        assertThat(cluster.blockNames()).containsExactly(Meta.name(own.metadata()));
        assertThat(cluster.blocks().getFirst().node()).isEqualTo("n1b");
    }

    @Test
    @DisplayName("h02: the Node is back between the first read and the DELETE: the finalizer stays")
    void h02ANodeThatIsBackAfterTheFirstReadKeepsTheFinalizer() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        Between back =
                Between.before(
                        "delete", Kinds.BLOCKS, cluster.client("c1"), () -> cluster.node("n1"));
        Controller controller = cluster.controller("c1", back.api());
        eventually(back::happened);
        eventually(() -> controller.view().node("n1") != null);

        Cluster.stays(Duration.ofMillis(1500), () -> cluster.exists(Kinds.BLOCKS, "default-0"));
        assertThat(back.calls()).doesNotContain("patch addressblocks");
        assertThat(
                        Meta.beingDeleted(
                                cluster.api
                                        .get(Kinds.BLOCKS, null, "default-0")
                                        .orElseThrow()
                                        .metadata()))
                .isTrue();
    }

    @Test
    @DisplayName("h19: more than 10 s between the two reads of the Node: it begins again")
    void h19TooLongBetweenTheReadsBeginsAgain() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        JumpingTime time = new JumpingTime(cluster.timeline);
        Between pause =
                Between.after(
                        "delete",
                        Kinds.BLOCKS,
                        cluster.client("c1"),
                        () -> time.jump(Duration.ofSeconds(11)));
        Controller controller =
                new Controller(
                        pause.api(),
                        time,
                        Cluster.settings(
                                "c1",
                                "controller.lease-duration",
                                "60s",
                                "controller.lease-renew-deadline",
                                "50s"),
                        new SimpleMeterRegistry());
        controller.start();
        try {
            eventually(() -> cluster.blocks().isEmpty());
        } finally {
            stop(controller);
        }

        assertThat(pause.calls())
                .filteredOn(c -> c.endsWith(" nodes") || c.endsWith(" addressblocks"))
                .startsWith("get nodes", "delete addressblocks", "get nodes")
                .endsWith("get nodes", "get addressblocks", "get nodes", "patch addressblocks")
                .containsOnlyOnce("patch addressblocks");
    }

    @Test
    @DisplayName("A new leader begins the grace of an orphan anew")
    void aNewLeaderBeginsTheGraceAnew() throws InterruptedException {
        Duration grace = Duration.ofSeconds(3);
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        Controller first = cluster.leader("controller.node-grace", "3s");
        await().pollDelay(Duration.ofMillis(2500)).until(() -> true);
        first.stop();
        assertThat(cluster.blockNames()).containsExactly("default-0");

        long taken = System.nanoTime();
        cluster.leader("controller.node-grace", "3s");
        eventually(() -> cluster.blocks().isEmpty());

        assertThat(Duration.ofNanos(System.nanoTime() - taken)).isGreaterThanOrEqualTo(grace);
    }

    @Test
    @DisplayName("A reserved block, and one without a node label, stay; both are said in a run")
    void whatIsReservedOrNobodysIsSaidAndStays() {
        cluster.block("default", 0, null, "10.1.0.0/31");
        AddressBlock reserved = cluster.block("default", 1, "gone", "10.1.0.2/31");
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                "default-1",
                Preconditions.of(reserved.metadata()),
                "{\"metadata\":{\"labels\":{\"" + Names.RESERVED + "\":\"true\"}}}");
        cluster.leader("controller.node-grace", "100ms");

        cluster.run("all", new GarbageCollection.Spec(null, null, null, null, null, null));

        GarbageCollection.Status status = Objects.requireNonNull(cluster.finished("all").status());
        assertThat(status.items())
                .extracting(i -> i.name() + " " + i.outcome() + " " + i.message())
                .containsExactlyInAnyOrder(
                        "default-1 Kept the block is marked as reserved",
                        "default-0 Reported label the block with the node that uses it, or delete"
                                + " it if none does");
        assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
    }

    private AddressBlock granted(String node) {
        BlockRequest answer = cluster.answer(cluster.request(node, "default"));
        return cluster.api
                .get(Kinds.BLOCKS, null, Objects.requireNonNull(answer.intent()))
                .orElseThrow();
    }

    private static void stop(Controller controller) {
        try {
            controller.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
