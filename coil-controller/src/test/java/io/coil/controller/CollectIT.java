package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1Taint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** What belongs to no node, or is fetched by nobody. */
@OnBothServers
class CollectIT {
    private final Servers on;
    private Cluster cluster;

    CollectIT(Servers on) {
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

    @Test
    void theBlocksOfANodeThatIsGoneAreCollectedAfterTheGrace() {
        cluster.leader();
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.answer(cluster.request("b", "n1", "default"));
        cluster.deleteNode("n1");

        eventually(() -> cluster.blocks().isEmpty());
    }

    @Test
    void f2ANodeThatComesBackWithinTheGraceKeepsItsBlocks() {
        cluster.leader("controller.node-grace", "1500ms");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.deleteNode("n1");
        await().pollDelay(Duration.ofMillis(400)).until(() -> true);
        cluster.node("n1");

        stays(Duration.ofMillis(2500), () -> cluster.blockNames().equals(List.of("default-0")));
    }

    @Test
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

        stays(
                Duration.ofMillis(2500),
                () -> cluster.blockNames().equals(List.of("default-0", "default-1")));
    }

    @Test
    void b6NoBlockOfAMissingNodeStaysRoundAfterRound() {
        cluster.leader("controller.node-grace", "100ms");
        for (int round = 0; round < 5; round++) {
            cluster.node("n1");
            cluster.answer(cluster.request("r" + round, "n1", "default"));
            cluster.deleteNode("n1");
            eventually(() -> cluster.blocks().isEmpty());
        }
    }

    @Test
    void b10AnErrorStopsOnlyItsBlock() {
        Scope deletes = Scope.any().ofUserAgent("c1").onVerbs("delete").onResource("addressblocks");
        FaultRule conflict =
                cluster.server.faults().add(deletes.named("default-3"), Effect.conflict());
        FaultRule error =
                cluster.server.faults().add(deletes.named("default-7"), Effect.internalError());
        for (int i = 0; i < 10; i++) {
            cluster.block("default", i, "gone", "10.1.0." + 2 * i + "/31");
        }

        Controller controller = cluster.leader();

        eventually(() -> cluster.blockNames().equals(List.of("default-3", "default-7")));
        assertThat(controller.isGranting()).isTrue();
        cluster.server.faults().remove(conflict.id());
        cluster.server.faults().remove(error.id());
        eventually(() -> cluster.blocks().isEmpty());
    }

    @Test
    void aCrashAfterTheDeleteIsFinishedByTheNextLeader() {
        AddressBlock block = cluster.block("default", 0, "gone", "10.1.0.0/31");
        cluster.api.delete(Kinds.BLOCKS, null, "default-0", Preconditions.of(block.metadata()));

        cluster.leader();

        eventually(() -> cluster.blocks().isEmpty());
    }

    @Test
    void reservedBlocksAndBlocksWithoutANodeLabelStay() {
        cluster.block("default", 0, null, "10.1.0.0/31");
        AddressBlock reserved = cluster.block("default", 1, "gone", "10.1.0.2/31");
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                "default-1",
                Preconditions.of(reserved.metadata()),
                "{\"metadata\":{\"labels\":{\"coil.cybozu.com/reserved\":\"true\"}}}");
        cluster.block("default", 2, "gone", "10.1.0.4/31");

        cluster.leader("controller.collection-interval", "1s");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-2"));
        stays(
                Duration.ofMillis(1500),
                () -> cluster.blockNames().equals(List.of("default-0", "default-1")));
    }

    @Test
    void h9WhereCollectionIsManualOrOffNothingIsCollectedByItself() {
        cluster.pool("manual", Map.of(Names.COLLECTION, "manual"), 1, "10.2.0.0/24");
        cluster.pool("off", Map.of(Names.COLLECTION, "off"), 1, "10.3.0.0/24");
        cluster.block("manual", 0, "gone", "10.2.0.0/31");
        cluster.block("off", 0, "gone", "10.3.0.0/31");
        cluster.block("default", 0, "gone", "10.1.0.0/31");

        cluster.leader("controller.collection-interval", "1s");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-0"));
        stays(
                Duration.ofMillis(1500),
                () -> cluster.blockNames().equals(List.of("manual-0", "off-0")));
    }

    @Test
    void aRequestWhoseOwnerIsGoneIsDeletedWhoeverMadeANodeOfThatName() {
        BlockRequest old = cluster.request("orphan", "n1", "default");
        cluster.api.patch(
                Kinds.REQUESTS,
                null,
                "orphan",
                Preconditions.of(old.metadata()),
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Node\","
                        + "\"name\":\"n1\",\"uid\":\"11111111-2222-3333-4444-555555555555\"}]}}");
        cluster.node("n1");

        cluster.leader();

        eventually(() -> !cluster.exists(Kinds.REQUESTS, "orphan"));
    }

    @Test
    void anAnsweredRequestThatNobodyFetchesIsDeletedAnOpenOneIsNot() {
        cluster.leader("controller.stray-age", "1s");
        cluster.node("n1");
        cluster.answer(cluster.request("granted", "n1", "default"));
        cluster.answer(cluster.request("failed", "n1", "nowhere"));

        eventually(
                () ->
                        !cluster.exists(Kinds.REQUESTS, "granted")
                                && !cluster.exists(Kinds.REQUESTS, "failed"));
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void b5ADeadNodesBlockGoesOnlyWhenItsNodeIsMarkedOutOfService() {
        cluster.leader();
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        cluster.ready("n1", false);
        delete("default-0");
        stays(Duration.ofMillis(1500), () -> cluster.exists(Kinds.BLOCKS, "default-0"));

        V1Node node = cluster.api.get(Kinds.NODES, null, "n1").orElseThrow();
        node.setSpec(
                new V1NodeSpec()
                        .addTaintsItem(
                                new V1Taint()
                                        .key("node.kubernetes.io/out-of-service")
                                        .value("nodeshutdown")
                                        .effect("NoExecute")));
        cluster.api.replace(Kinds.NODES, node);

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-0"));
    }

    @Test
    void b5ADeadNodesBlockIsReleasedByForceOnceTheNodeHasNotBeenReadyForTheGrace() {
        cluster.leader("controller.node-grace", "1s");
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        AddressBlock block = cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow();
        force(block, "another-uid;machine burnt");
        delete("default-0");
        cluster.ready("n1", false);
        stays(Duration.ofMillis(1800), () -> cluster.exists(Kinds.BLOCKS, "default-0"));

        force(
                cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow(),
                Meta.uid(block.metadata()) + ";machine burnt");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-0"));
    }

    @Test
    void forceDoesNothingWhileTheNodeIsReady() {
        cluster.leader();
        cluster.node("n1");
        cluster.answer(cluster.request("a", "n1", "default"));
        AddressBlock block = cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow();
        force(block, Meta.uid(block.metadata()) + ";I want it");

        delete("default-0");

        stays(Duration.ofMillis(1500), () -> cluster.exists(Kinds.BLOCKS, "default-0"));
    }

    @Test
    void orphansTakeAtMostFourCallsEach() {
        cluster.pool("big", 0, "10.8.0.0/20");
        for (int i = 0; i < 300; i++) {
            cluster.block("big", i, "gone" + i % 10, "10.8.%d.%d/32".formatted(i / 256, i % 256));
        }
        cluster.server.requests().reset();

        cluster.leader();

        within(Duration.ofSeconds(20), () -> cluster.blocks().isEmpty());
        long calls =
                cluster.server
                        .requests()
                        .sum(
                                k ->
                                        (k.resource().equals("addressblocks")
                                                        || k.resource().equals("nodes"))
                                                && List.of("get", "delete", "patch")
                                                        .contains(k.verb()));
        assertThat(calls).isLessThanOrEqualTo(1200);
    }

    private void delete(String block) {
        AddressBlock read = cluster.api.get(Kinds.BLOCKS, null, block).orElseThrow();
        cluster.api.delete(Kinds.BLOCKS, null, block, Preconditions.of(read.metadata()));
    }

    private void force(AddressBlock block, String value) {
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                Objects.requireNonNull(block.metadata().getName()),
                Preconditions.of(block.metadata()),
                "{\"metadata\":{\"annotations\":{\"ops.coil.io/force\":\"" + value + "\"}}}");
    }

    private static void stays(Duration time, Callable<Boolean> what) {
        await().during(time).atMost(time.plusSeconds(3)).until(what);
    }
}
