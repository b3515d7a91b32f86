package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Collections on demand. */
@OnBothServers
class RunIT {
    private static final GarbageCollection.Spec ALL =
            new GarbageCollection.Spec(null, null, null, null, null, "a test");
    private static final GarbageCollection.Spec DRY =
            new GarbageCollection.Spec(null, null, null, true, null, "a test");

    private final Servers on;
    private Cluster cluster;

    RunIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.pool("default", Map.of(Names.COLLECTION, "manual"), 1, "10.1.0.0/24");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aRunWithNothingToDoIsCompletedAtOnce() {
        cluster.leader();

        cluster.run("empty", ALL);

        GarbageCollection.Status status = status("empty");
        assertThat(status.phase()).isEqualTo(GarbageCollection.Status.COMPLETED);
        assertThat(status.found()).isZero();
        assertThat(status.started()).isNotNull();
        assertThat(status.finished()).isNotNull();
    }

    @Test
    void h3ADryRunSaysWhatWouldBeCollectedAndChangesNothing() {
        cluster.block("default", 0, "gone", "10.1.0.0/31");
        cluster.leader();
        afterTheGrace();

        cluster.run("plan", DRY);

        RunItem item = onlyItem("plan");
        assertThat(item.rule()).isEqualTo("orphan-block");
        assertThat(item.kind()).isEqualTo("Block");
        assertThat(item.name()).isEqualTo("default-0");
        assertThat(item.pool()).isEqualTo("default");
        assertThat(item.node()).isEqualTo("gone");
        assertThat(item.evidence()).isEqualTo("no Node named gone exists");
        assertThat(item.outcome()).isEqualTo(RunItem.PLANNED);
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void h3APlanIsAppliedToWhatIsStillTrueAndReportsTheRest() {
        cluster.block("default", 0, "gone", "10.1.0.0/31");
        cluster.block("default", 1, "back", "10.1.0.2/31");
        cluster.block("default", 2, "gone", "10.1.0.4/31");
        cluster.leader();
        afterTheGrace();
        cluster.run("plan", DRY);
        assertThat(items("plan")).extracting(RunItem::outcome).containsOnly(RunItem.PLANNED);
        cluster.node("back");
        cluster.giveBack("default-2");
        cluster.block("default", 3, "gone", "10.1.0.6/31");
        afterTheGrace();

        cluster.run("apply", new GarbageCollection.Spec(null, null, null, null, "plan", null));

        assertThat(items("apply"))
                .extracting(i -> i.name() + " " + i.outcome())
                .containsExactlyInAnyOrder(
                        "default-0 Done", "default-1 NoLongerTrue", "default-2 NoLongerTrue");
        assertThat(status("apply").done()).isEqualTo(1);
        assertThat(cluster.blockNames()).containsExactly("default-1", "default-3");
    }

    @Test
    void aRunThatNamesThePoolCollectsUnderManualAndOneAboutEverythingDoesNot() {
        cluster.block("default", 0, "gone", "10.1.0.0/31");
        cluster.leader();
        afterTheGrace();

        cluster.run("all", ALL);
        RunItem kept = onlyItem("all");
        cluster.run(
                "named",
                new GarbageCollection.Spec(null, List.of("default"), null, null, null, null));
        RunItem done = onlyItem("named");

        assertThat(kept.outcome()).isEqualTo(RunItem.KEPT);
        assertThat(kept.message()).isEqualTo("collection is manual here");
        assertThat(done.outcome()).isEqualTo(RunItem.DONE);
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    void aRunHonoursTheGraceOfOrphans() {
        cluster.block("default", 0, "gone", "10.1.0.0/31");
        cluster.leader("controller.node-grace", "1h");

        cluster.run(
                "named",
                new GarbageCollection.Spec(null, List.of("default"), null, null, null, null));

        RunItem item = onlyItem("named");
        assertThat(item.outcome()).isEqualTo(RunItem.KEPT);
        assertThat(item.message()).startsWith("its node may come back: kept for another ");
        assertThat(cluster.blockNames()).containsExactly("default-0");
    }

    @Test
    void aRunThatNamesWhatDoesNotExistFailsAndSaysSo() {
        cluster.leader();

        cluster.run(
                "bad",
                new GarbageCollection.Spec(List.of("nowhere"), null, null, null, null, null));
        cluster.run("noplan", new GarbageCollection.Spec(null, null, null, null, "none", null));

        assertThat(status("bad").phase()).isEqualTo(GarbageCollection.Status.FAILED);
        assertThat(status("bad").message()).isEqualTo("there is no node named nowhere");
        assertThat(status("noplan").message())
                .isEqualTo("there is no collection named none to apply");
    }

    @Test
    void twoRunsAtOnceCollectNothingTwice() {
        for (int i = 0; i < 40; i++) {
            cluster.block("default", i, "gone" + i % 3, "10.1.0." + 2 * i + "/31");
        }
        cluster.leader();
        afterTheGrace();
        GarbageCollection.Spec spec =
                new GarbageCollection.Spec(null, List.of("default"), null, null, null, null);

        cluster.run("first", spec);
        cluster.run("second", spec);

        long done = status("first").done() + status("second").done();
        assertThat(done).isEqualTo(40);
        assertThat(status("first").failed() + status("second").failed()).isZero();
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    void whatOnlyAHumanMayDecideIsReported() {
        cluster.pool("other", 0, "10.1.0.0/30");
        cluster.block("default", 0, null, "10.1.0.0/31");
        cluster.block("other", 1, "n1", "10.1.0.1/32");
        cluster.block("vanished", 0, "n1", "10.9.0.0/32");
        cluster.node("n1");
        cluster.ready("n1", false);
        cluster.leader("controller.run-deadline", "1s");
        afterTheGrace();

        cluster.run("look", DRY);

        assertThat(items("look"))
                .extracting(i -> i.rule() + " " + i.name() + " " + i.outcome())
                .contains(
                        "orphan-block default-0 Reported",
                        "overlap default-0 Reported",
                        "overlap other-1 Reported",
                        "out-of-pool vanished-0 Reported",
                        "dead-node-block other-1 Reported");
        assertThat(cluster.blocks()).hasSize(3);
    }

    @Test
    void onlyTheNewestFinishedRunsStay() {
        cluster.leader("controller.runs-kept", "2", "controller.collection-interval", "1s");
        IntStream.range(0, 5)
                .forEach(
                        i -> {
                            cluster.run("run" + i, ALL);
                            cluster.finished("run" + i);
                        });

        eventually(
                () ->
                        !cluster.exists(Kinds.COLLECTIONS, "run0")
                                && !cluster.exists(Kinds.COLLECTIONS, "run2"));
        assertThat(cluster.exists(Kinds.COLLECTIONS, "run4")).isTrue();
        assertThat(cluster.exists(Kinds.COLLECTIONS, "run3")).isTrue();
    }

    /** Long enough for the controller to have taken its first looks. */
    private static void afterTheGrace() {
        await().pollDelay(Duration.ofMillis(900)).until(() -> true);
    }

    private GarbageCollection.Status status(String run) {
        return Objects.requireNonNull(cluster.finished(run).status());
    }

    private List<RunItem> items(String run) {
        return Objects.requireNonNullElse(status(run).items(), List.of());
    }

    private RunItem onlyItem(String run) {
        assertThat(items(run)).hasSize(1);
        return items(run).getFirst();
    }
}
