package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.apiserver.rest.RequestLog;
import io.coil.controller.garbage.Modes;
import io.coil.controller.garbage.OrphanBlocks;
import io.coil.controller.view.ClusterView;
import io.coil.controller.work.Flights;
import io.coil.core.garbage.Selection;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

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
    @DisplayName("B10: of ten orphans two cannot be deleted: eight go, the two when they can be")
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
    @DisplayName("H9: where collection is manual or off, nothing is collected by itself")
    void h9WhereCollectionIsManualOrOffNothingIsCollectedByItself() {
        cluster.pool("manual", Map.of(Names.COLLECTION, "manual"), 1, "10.2.0.0/24");
        cluster.pool("off", Map.of(Names.COLLECTION, "off"), 1, "10.3.0.0/24");
        cluster.block("manual", 0, "gone", "10.2.0.0/31");
        cluster.block("off", 0, "gone", "10.3.0.0/31");
        cluster.block("default", 0, "gone", "10.1.0.0/31");

        cluster.leader("controller.collection-interval", "1s");

        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-0"));
        Cluster.stays(
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

    @Test
    @DisplayName("B13: three collections start at once: each block is deleted once, nothing fails")
    void b13ThreeCollectionsAtOnceDeleteEachBlockOnce() throws InterruptedException {
        int count = 120;
        for (int i = 0; i < count; i++) {
            cluster.block("default", i, "gone" + i % 10, "10.1.0." + 2 * i + "/31");
        }
        ClusterView view = new ClusterView(cluster.client("c1"), cluster.timeline);
        view.start();
        eventually(() -> view.blocks().size() == count && view.synced());
        OrphanBlocks orphans =
                new OrphanBlocks(
                        cluster.client("c1"),
                        view,
                        cluster.timeline,
                        new Modes(CollectionMode.ON, view),
                        new Flights(cluster.timeline, 16),
                        new SimpleMeterRegistry(),
                        Duration.ofMillis(500));
        eventually(
                () ->
                        orphans.find(Selection.ALL).stream()
                                .allMatch(i -> i.outcome().equals(RunItem.PLANNED)));
        AtomicLong done = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        CountDownLatch together = new CountDownLatch(1);
        Timeline.Task asked =
                () -> {
                    together.await();
                    for (RunItem item : orphans.collect(orphans.find(Selection.ALL))) {
                        done.addAndGet(item.outcome().equals(RunItem.DONE) ? 1 : 0);
                        failed.addAndGet(item.outcome().equals(RunItem.FAILED) ? 1 : 0);
                    }
                };
        List<Timeline.Running> running =
                List.of(
                        cluster.timeline.start("first", asked),
                        cluster.timeline.start("second", asked),
                        cluster.timeline.start(
                                "periodic",
                                () -> {
                                    together.await();
                                    for (String node : List.copyOf(view.nodesWithBlocks())) {
                                        orphans.at(node);
                                    }
                                }));
        cluster.server.requests().reset();

        together.countDown();
        for (Timeline.Running each : running) {
            assertThat(each.awaitEnd(Duration.ofSeconds(20))).isTrue();
        }
        view.stop();

        assertThat(cluster.blocks()).isEmpty();
        assertThat(failed).hasValue(0);
        assertThat(done.get()).isLessThanOrEqualTo(count);
        assertThat(deletions(k -> true)).as("a DELETE of each block").isEqualTo(count);
        assertThat(deletions(k -> k.code() == 200)).isEqualTo(count);
    }

    private long deletions(Predicate<RequestLog.Kind> which) {
        return cluster.server
                .requests()
                .sum(
                        k ->
                                k.verb().equals("delete")
                                        && k.resource().equals("addressblocks")
                                        && which.test(k));
    }
}
