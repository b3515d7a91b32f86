package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Plans, what becomes of them, and what a run may do under which mode of collection. */
class PlanIT {
    private Cluster cluster;
    private int runs;

    @BeforeEach
    void start() {
        cluster = new Cluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName("H3: a plan is refused that is too old, no dry run, not completed, or applied dry")
    void h3WhatIsNoPlanIsNotApplied() {
        past("old", true, GarbageCollection.Status.COMPLETED, Duration.ofMinutes(31), List.of());
        past("direct", false, GarbageCollection.Status.COMPLETED, Duration.ZERO, List.of());
        past("failed", true, GarbageCollection.Status.FAILED, Duration.ZERO, List.of());
        past("fresh", true, GarbageCollection.Status.COMPLETED, Duration.ofMinutes(29), List.of());
        cluster.leader();

        assertThat(apply("old").message())
                .isEqualTo(
                        "the plan old is 31 minutes old, at most 30 are allowed: make a new one");
        assertThat(apply("direct").message())
                .isEqualTo("collection direct is no dry run, so it is no plan");
        assertThat(apply("failed").message()).isEqualTo("the dry run failed has not completed");
        assertThat(apply("fresh").phase()).isEqualTo(GarbageCollection.Status.COMPLETED);
        cluster.run("both", new GarbageCollection.Spec(null, null, null, true, "fresh", null));
        assertThat(status("both").message()).startsWith("dryRun and plan exclude each other");
    }

    @Test
    @DisplayName(
            "H3: what a plan has for agents that are gone or silent is reported, not forgotten")
    void h3ItemsThatFellToNobodyAreReported() {
        cluster.node("n1");
        cluster.leader("controller.run-deadline", "1s");
        past(
                "plan",
                true,
                GarbageCollection.Status.COMPLETED,
                Duration.ZERO,
                List.of(surplus("default-1", "n1"), surplus("default-2", "gone")));

        GarbageCollection.Status status = apply("plan");

        assertThat(status.message()).isEqualTo("1 of 1 nodes have not answered");
        assertThat(status.items())
                .extracting(i -> i.rule() + " " + i.name() + " " + i.outcome() + " " + i.message())
                .contains(
                        "surplus-block default-1 Failed the agent of n1 did not answer",
                        "surplus-block default-2 NoLongerTrue there is no Node named gone any more");
        assertThat(status.failed()).isEqualTo(1);
    }

    @Test
    @DisplayName("H3: a plan can be applied in part; the rest is said to be kept")
    void h3APlanIsAppliedInPart() {
        pool("default", "manual");
        orphans("default", 4);
        cluster.leader("controller.node-grace", "100ms");
        String plan = ripePlan(4);

        GarbageCollection.Status status =
                run(new GarbageCollection.Spec(List.of("gone1"), null, null, null, plan, null));

        assertThat(status.items())
                .extracting(i -> i.name() + " " + i.outcome())
                .containsExactlyInAnyOrder(
                        "default-0 Kept", "default-1 Done", "default-2 Kept", "default-3 Kept");
        assertThat(cluster.blockNames()).doesNotContain("default-1").hasSize(3);
    }

    @Test
    @DisplayName("A run whose plan was deleted under way does nothing, least of all everything")
    void aRunWhosePlanWasDeletedDoesNothing() {
        pool("default", "manual");
        orphans("default", 2);
        GarbageCollection run =
                cluster.run(
                        "apply", new GarbageCollection.Spec(null, null, null, null, "ghost", null));
        cluster.api.replaceStatus(
                Kinds.COLLECTIONS,
                new GarbageCollection(
                        run.apiVersion(),
                        run.kind(),
                        run.metadata(),
                        run.spec(),
                        status(GarbageCollection.Status.RUNNING, Duration.ZERO, List.of())));

        cluster.leader("controller.node-grace", "100ms");

        assertThat(status("apply").phase()).isEqualTo(GarbageCollection.Status.FAILED);
        assertThat(status("apply").message())
                .isEqualTo("the plan was deleted before it was applied");
        assertThat(cluster.blocks()).hasSize(2);
    }

    @Test
    @DisplayName("A run lists 500 items and counts the rest; a plan is of those, a run of all")
    void aRunListsFiveHundredAndCountsTheRest() {
        pool("default", "manual");
        orphans("default", 560);
        cluster.leader(
                "controller.node-grace",
                "100ms",
                "controller.lease-duration",
                "15s",
                "controller.lease-renew-deadline",
                "10s");
        String plan = ripePlan(560);
        assertThat(status(plan).items()).hasSize(500);
        assertThat(status(plan).rest()).isEqualTo(60);

        GarbageCollection.Status applied = apply(plan);

        assertThat(applied.items()).filteredOn(i -> !i.outcome().equals(RunItem.DONE)).isEmpty();
        assertThat(applied.done()).isEqualTo(500);
        assertThat(cluster.blocks()).hasSize(60);
        GarbageCollection.Status direct =
                run(new GarbageCollection.Spec(null, List.of("default"), null, null, null, null));
        assertThat(direct.done()).isEqualTo(60);
        assertThat(cluster.blocks()).isEmpty();
    }

    @ParameterizedTest(
            name =
                    "everything {0}, the pool {1}: a plan {2}, a run that names it {3}, one over all {4}")
    @DisplayName("H9: the strictest mode holds, and the run says so")
    @CsvSource({
        "off,on,looks,nothing,nothing",
        "on,off,looks,nothing,nothing",
        "manual,off,looks,nothing,nothing",
        "off,manual,looks,nothing,nothing",
        "manual,on,looks,collects,nothing",
        "on,manual,looks,collects,nothing"
    })
    void h9TheStrictestModeHolds(
            String everything, String pool, String plan, String named, String all) {
        pool("default", pool);
        orphans("default", 2);
        cluster.leader("collection", everything, "controller.node-grace", "100ms");

        String planned = ripePlan(2);
        GarbageCollection.Status overAll =
                run(new GarbageCollection.Spec(null, null, null, null, null, null));
        GarbageCollection.Status one =
                run(new GarbageCollection.Spec(null, null, List.of("default-0"), null, null, null));
        GarbageCollection.Status applied = apply(planned);

        assertThat(plan).isEqualTo("looks");
        assertThat(did(overAll)).isEqualTo(all);
        assertThat(did(one)).isEqualTo(named);
        assertThat(applied.done()).isEqualTo(named.equals("collects") ? 1 : 0);
        for (GarbageCollection.Status status : List.of(status(planned), overAll, one, applied)) {
            assertThat(status.message())
                    .startsWith("collection is ")
                    .contains(everything.equals("on") ? pool + " for pool default" : everything);
        }
        assertThat(cluster.blocks()).hasSize(named.equals("collects") ? 0 : 2);
    }

    @Test
    @DisplayName("Finished runs go after their time to live")
    void finishedRunsGoAfterTheirTime() {
        past("old", true, GarbageCollection.Status.COMPLETED, Duration.ofHours(25), List.of());
        past("young", true, GarbageCollection.Status.COMPLETED, Duration.ofHours(23), List.of());

        cluster.leader("controller.collection-interval", "1s");

        eventually(() -> !cluster.exists(Kinds.COLLECTIONS, "old"));
        assertThat(cluster.exists(Kinds.COLLECTIONS, "young")).isTrue();
    }

    private static String did(GarbageCollection.Status status) {
        if (status.done() > 0) {
            return "collects";
        }
        assertThat(status.items())
                .isNotEmpty()
                .allSatisfy(
                        i -> {
                            assertThat(i.outcome()).isEqualTo(RunItem.KEPT);
                            assertThat(i.message()).matches("collection is (off|manual) here");
                        });
        return "nothing";
    }

    private void pool(String name, String mode) {
        cluster.pool(name, Map.of(Names.COLLECTION, mode), 0, "10.1.0.0/20");
    }

    private void orphans(String pool, int count) {
        IntStream.range(0, count)
                .parallel()
                .forEach(
                        i ->
                                cluster.block(
                                        pool,
                                        i,
                                        "gone" + i % 100,
                                        "10.1.%d.%d/32".formatted(i / 256, i % 256)));
    }

    /** A dry run that finds so many orphans past their grace; its name. */
    private String ripePlan(int count) {
        String[] plan = {""};
        eventually(
                () -> {
                    plan[0] = "plan-" + runs++;
                    cluster.run(
                            plan[0],
                            new GarbageCollection.Spec(null, null, null, true, null, null));
                    GarbageCollection.Status status = status(plan[0]);
                    return status.found() - status.kept() == count;
                });
        return plan[0];
    }

    private GarbageCollection.Status run(GarbageCollection.Spec spec) {
        String name = "run-" + runs++;
        cluster.run(name, spec);
        return status(name);
    }

    private GarbageCollection.Status apply(String plan) {
        return run(new GarbageCollection.Spec(null, null, null, null, plan, null));
    }

    private GarbageCollection.Status status(String run) {
        return Objects.requireNonNull(cluster.finished(run).status());
    }

    /** A run that a controller of before has finished. */
    private void past(
            String name, boolean dryRun, String phase, Duration ago, List<RunItem> items) {
        GarbageCollection made =
                cluster.api.create(
                        Kinds.COLLECTIONS,
                        new GarbageCollection(
                                Names.OPS_API,
                                "GarbageCollection",
                                new V1ObjectMeta().name(name),
                                new GarbageCollection.Spec(null, null, null, dryRun, null, null),
                                null));
        // a leader may have begun it already: the last word is ours
        eventually(
                () -> {
                    GarbageCollection now =
                            cluster.api.get(Kinds.COLLECTIONS, null, name).orElse(made);
                    cluster.api.replaceStatus(
                            Kinds.COLLECTIONS,
                            new GarbageCollection(
                                    now.apiVersion(),
                                    now.kind(),
                                    now.metadata(),
                                    now.spec(),
                                    status(phase, ago, items)));
                    return true;
                });
    }

    private static GarbageCollection.Status status(
            String phase, Duration ago, List<RunItem> items) {
        OffsetDateTime then = OffsetDateTime.now(ZoneOffset.UTC).minus(ago);
        boolean running = phase.equals(GarbageCollection.Status.RUNNING);
        return new GarbageCollection.Status(
                phase,
                null,
                items.size(),
                0,
                0,
                0,
                items,
                0,
                List.of(),
                List.of(),
                then,
                running ? null : then);
    }

    private static RunItem surplus(String block, @Nullable String node) {
        return new RunItem(
                "surplus-block",
                "Block",
                block,
                "uid-of-" + block,
                block,
                "default",
                node,
                "empty for 90 s",
                90,
                RunItem.PLANNED,
                null);
    }
}
