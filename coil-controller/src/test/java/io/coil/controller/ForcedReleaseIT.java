package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeSpec;
import io.kubernetes.client.openapi.models.V1Taint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A machine is dead, its Node object stays, and somebody wants its block. */
@OnBothServers
class ForcedReleaseIT {
    private final Servers on;
    private Cluster cluster;

    ForcedReleaseIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("one", 0, "10.2.0.0/32");
        cluster.node("n1");
        cluster.node("n2");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName(
            "B5: unmarked: never, but reported; marked out-of-service: released, audited, n2's")
    void b5ABlockGoesOnceItsNodeIsMarkedOutOfService() {
        cluster.leader("controller.collection-interval", "1s", "controller.run-deadline", "1s");
        AddressBlock block = heldBy("n1");
        cluster.ready("n1", false);
        delete();
        BlockRequest refused = cluster.answer(cluster.request("early", "n2", "one"));
        assertThat(refused.complete()).isFalse();
        eventually(() -> says("n1", "DeadNodeBlocks", "not Ready, and holds one-0: bring"));
        assertThat(deadNodeBlocks()).containsExactly("one-0");
        assertThat(cluster.exists(Kinds.BLOCKS, "one-0")).isTrue();

        markOutOfService("n1");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "one-0"));
        eventually(() -> says("one-0", "ReleasedByForce", "node n1 did not give it back"));
        eventually(() -> says("n1", "ReleasedByForce", "block one-0 was taken from this node"));
        AddressBlock next = heldBy("n2");
        assertThat(next.node()).isEqualTo("n2");
        assertThat(Meta.uid(next.metadata())).isNotEqualTo(Meta.uid(block.metadata()));
    }

    @Test
    @DisplayName(
            "B5: released by force: the right UID, a reason, and a node not Ready for the grace")
    void b5ABlockGoesWhenItIsForcedAndItsNodeHasNotBeenReadyForTheGrace() {
        cluster.leader("controller.node-grace", "1s");
        String uid = Meta.uid(heldBy("n1").metadata());
        delete();

        force("another;machine burnt");
        eventually(() -> says("one-0", "NotReleased", "names the block of UID another"));
        force(uid + ";");
        eventually(() -> says("one-0", "NotReleased", "must be <block uid>;<reason>"));
        force(uid + ";machine burnt");
        eventually(() -> says("one-0", "NotReleased", "the node is Ready: its agent gives"));
        long begun = System.nanoTime();
        cluster.ready("n1", false);

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "one-0"));

        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(Duration.ofSeconds(1));
        eventually(() -> says("one-0", "ReleasedByForce", "machine burnt"));
        eventually(() -> says("n1", "ReleasedByForce", "machine burnt"));
        assertThat(heldBy("n2").node()).isEqualTo("n2");
    }

    @Test
    @DisplayName("B5: a node that was Ready in between has the whole grace again")
    void b5ANodeThatWasReadyInBetweenHasTheGraceAgain() {
        cluster.leader("controller.node-grace", "2s");
        String uid = Meta.uid(heldBy("n1").metadata());
        cluster.ready("n1", false);
        delete();
        force(uid + ";machine burnt");
        await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
        cluster.ready("n1", true);
        eventually(() -> says("one-0", "NotReleased", "the node is Ready"));
        long begun = System.nanoTime();
        cluster.ready("n1", false);

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "one-0"));

        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName(
            "C12: the block is n2's by now; n1 returns with what it knew: nothing changes for n2")
    void c12WhatTheFormerOwnerStillKnowsDoesNothingToTheNextOwner() {
        cluster.leader("controller.node-grace", "200ms");
        AddressBlock old = heldBy("n1");
        cluster.ready("n1", false);
        delete();
        force(Meta.uid(old.metadata()) + ";machine burnt");
        eventually(() -> !cluster.exists(Kinds.BLOCKS, "one-0"));
        AddressBlock next = heldBy("n2");
        cluster.ready("n1", true);

        // n1's agent gives back the block that it held: a DELETE and a finalizer, by UID
        ApiFailure.Stale deletion =
                catchThrowableOfType(
                        ApiFailure.Stale.class,
                        () ->
                                cluster.api.delete(
                                        Kinds.BLOCKS,
                                        null,
                                        "one-0",
                                        Preconditions.of(old.metadata())));
        assertThat(deletion.code()).isEqualTo(409);
        // and the force of then is good for the block of then only
        force(Meta.uid(old.metadata()) + ";machine burnt");

        await().during(Duration.ofMillis(1500))
                .atMost(Duration.ofSeconds(5))
                .until(
                        () ->
                                cluster.api
                                        .get(Kinds.BLOCKS, null, "one-0")
                                        .filter(
                                                b ->
                                                        Meta.uid(b.metadata())
                                                                        .equals(
                                                                                Meta.uid(
                                                                                        next
                                                                                                .metadata()))
                                                                && !Meta.beingDeleted(b.metadata()))
                                        .isPresent());
    }

    /** What a node gets when it asks for a block, from then on in vain for others. */
    private AddressBlock heldBy(String node) {
        BlockRequest request = cluster.request("for-" + node, node, "one");
        assertThat(cluster.answer(request).complete()).isTrue();
        cluster.api.delete(
                Kinds.REQUESTS,
                null,
                "for-" + node,
                Preconditions.of(cluster.reread(request).metadata()));
        return cluster.api.get(Kinds.BLOCKS, null, "one-0").orElseThrow();
    }

    private List<String> deadNodeBlocks() {
        cluster.run("look", new GarbageCollection.Spec(null, null, null, true, null, null));
        GarbageCollection.Status status = Objects.requireNonNull(cluster.finished("look").status());
        return Objects.requireNonNull(status.items()).stream()
                .filter(i -> i.rule().equals("dead-node-block"))
                .filter(i -> i.outcome().equals(RunItem.REPORTED) && i.message() != null)
                .map(RunItem::name)
                .toList();
    }

    private void markOutOfService(String name) {
        V1Node node = cluster.api.get(Kinds.NODES, null, name).orElseThrow();
        node.setSpec(
                new V1NodeSpec()
                        .addTaintsItem(
                                new V1Taint()
                                        .key("node.kubernetes.io/out-of-service")
                                        .value("nodeshutdown")
                                        .effect("NoExecute")));
        cluster.api.replace(Kinds.NODES, node);
    }

    private void delete() {
        AddressBlock read = cluster.api.get(Kinds.BLOCKS, null, "one-0").orElseThrow();
        cluster.api.delete(Kinds.BLOCKS, null, "one-0", Preconditions.of(read.metadata()));
    }

    private void force(String value) {
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                "one-0",
                Preconditions.NONE,
                "{\"metadata\":{\"annotations\":{\"" + Names.FORCE + "\":\"" + value + "\"}}}");
    }

    private boolean says(String about, String reason, String text) {
        return cluster.api.list(Kinds.EVENTS, Selection.ALL).items().stream()
                .anyMatch(
                        e ->
                                about.equals(e.getInvolvedObject().getName())
                                        && reason.equals(e.getReason())
                                        && String.valueOf(e.getMessage()).contains(text));
    }
}
