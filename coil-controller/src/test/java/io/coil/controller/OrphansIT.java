package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Thousands of orphan blocks, by themselves and on demand. */
class OrphansIT {
    private static final int MANY = 5_000;
    private static final int NODES = 700;
    private static final int PODS = 30_000;
    private static final int ORPHANS = 1_500;

    /** A few seconds on a quiet machine. */
    private static final Duration MOST = Duration.ofMinutes(2);

    /** Not lost on a busy one. */
    private static final String[] LEASE = {
        "controller.lease-duration", "15s", "controller.lease-renew-deadline", "10s"
    };

    private Cluster cluster;
    private int plans;

    @BeforeEach
    void start() {
        cluster = new Cluster();
        cluster.pool("big", Map.of(Names.COLLECTION, "manual"), 0, "10.8.0.0/19");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName(
            "B10: 5,000 orphans, of which 2 always fail: 4,998 go, 2 are reported, and tried again")
    void b10AnErrorAmongThousandsStopsOnlyItsBlock() {
        new Masses(cluster.server).createOrphans("big", MANY, NODES);
        FaultRule conflict = refuse("big-17", Effect.conflict());
        FaultRule error = refuse("big-4711", Effect.internalError());
        Watched calls = new Watched(cluster.client("c1"));
        Controller controller = cluster.controller("c1", calls.api(), LEASE);
        eventually(controller::isGranting);
        within(MOST, () -> planned() == MANY);
        calls.reset();

        cluster.run("first", named(false));
        within(MOST, () -> run("first").finished());

        assertThat(cluster.blockNames()).containsExactly("big-17", "big-4711");
        assertThat(status("first").done()).isEqualTo(MANY - 2);
        assertThat(status("first").failed()).isEqualTo(2);
        assertThat(calls.mostAtOnce()).isBetween(2, 16);
        assertThat(calls.calls()).isLessThanOrEqualTo(4L * MANY);
        // a try that took too long begins again with its grace, and is no failure then
        within(MOST, () -> next().equals(List.of("big-17 Failed", "big-4711 Failed")));
        assertThat(controller.isGranting()).isTrue();

        cluster.server.faults().remove(conflict.id());
        cluster.server.faults().remove(error.id());
        within(MOST, () -> next().isEmpty());
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName(
            "E9: 30,000 pods, 5,000 blocks, pages of 500, 50 ms a page: a collection completes;"
                    + " interrupted, it resumes")
    void e9ALargeCollectionThatIsInterruptedResumes() throws InterruptedException {
        Masses masses = new Masses(cluster.server);
        masses.createPods(PODS);
        masses.createOrphans("big", ORPHANS, 50);
        cluster.node("n1");
        cluster.pool("rest", 0, "10.9.0.0/19");
        masses.createBlocks("rest", MANY - ORPHANS, "10.9", i -> "n1");
        Scope lists = Scope.any().onVerbs("list");
        cluster.server.faults().add(lists, Effect.latency(Duration.ofMillis(50)));
        // and the next leader's lists are interrupted as well: the version that was read is gone
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                        "expired",
                                        lists.ofUserAgent("c2").onResource("addressblocks"),
                                        Effect.expired())
                                .times(2));
        Controller first = cluster.leader(LEASE);
        within(MOST, () -> planned() == ORPHANS);
        cluster.server.requests().reset();
        cluster.run("all", named(false));
        within(MOST, () -> now().done() > 0);
        first.stop();
        long before = now().done();
        assertThat(before).isLessThan(ORPHANS);

        Controller second = cluster.controller(LEASE);
        within(MOST, second::isGranting);
        within(MOST, () -> run("all").finished());

        assertThat(now().phase()).isEqualTo(GarbageCollection.Status.COMPLETED);
        assertThat(now().done()).isBetween(before, (long) ORPHANS);
        assertThat(now().failed()).isZero();
        assertThat(now().kept()).isZero();
        assertThat(cluster.blocks()).hasSize(MANY - ORPHANS);
        assertThat(deletions()).as("each block was deleted once").isEqualTo(ORPHANS);
    }

    /** What one more run makes of the blocks that are still there. */
    private List<String> next() {
        String name = "next-" + plans++;
        cluster.run(name, named(false));
        return Objects.requireNonNullElse(status(name).items(), List.<RunItem>of()).stream()
                .map(i -> i.name() + " " + i.outcome())
                .sorted()
                .toList();
    }

    private long deletions() {
        return cluster.server
                .requests()
                .sum(
                        k ->
                                k.verb().equals("delete")
                                        && k.resource().equals("addressblocks")
                                        && k.code() == 200);
    }

    /** Of the run that is interrupted. */
    private GarbageCollection.Status now() {
        return Objects.requireNonNull(run("all").status());
    }

    private static GarbageCollection.Spec named(boolean dryRun) {
        return new GarbageCollection.Spec(null, List.of("big"), null, dryRun, null, "a test");
    }

    /** What a dry run would collect. */
    private long planned() {
        String name = "plan-" + plans++;
        cluster.run(name, named(true));
        GarbageCollection.Status status = status(name);
        return status.found() - status.kept();
    }

    private GarbageCollection run(String name) {
        return cluster.api.get(Kinds.COLLECTIONS, null, name).orElseThrow();
    }

    private GarbageCollection.Status status(String name) {
        return Objects.requireNonNull(cluster.finished(name).status());
    }

    private FaultRule refuse(String block, Effect effect) {
        return cluster.server
                .faults()
                .add(
                        Scope.any()
                                .ofUserAgent("c1")
                                .onVerbs("delete")
                                .onResource("addressblocks")
                                .named(block),
                        effect);
    }
}
