package io.coil.admin.history;

import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Looks at each new image of the cluster and hands on what is different. Apart from the writer, so
 * that a slow database makes no look late.
 */
final class Watcher {
    private static final Duration EVERY = Duration.ofMillis(250);

    private final Timeline timeline;
    private final SnapshotKeeper keeper;
    private final Pending pending;
    private final Runnable wake;
    private volatile Timeline.@Nullable Running task;

    Watcher(Timeline timeline, SnapshotKeeper keeper, Pending pending, Runnable wake) {
        this.timeline = timeline;
        this.keeper = keeper;
        this.pending = pending;
        this.wake = wake;
    }

    void start() {
        task = timeline.start("history", new Persistent(timeline, "history", this::run));
    }

    void stop() {
        Timeline.Running running = task;
        if (running != null) {
            running.stop();
        }
    }

    private void run() throws InterruptedException {
        while (true) {
            keeper.current().ifPresent(look -> look(look, pending, wake));
            timeline.sleep(EVERY);
        }
    }

    /** While the Kubernetes API is silent nothing is known to have ended. */
    static void look(Current look, Pending pending, Runnable wake) {
        Current before = pending.latest();
        if (look.stale() || (before != null && built(before).equals(built(look)))) {
            return;
        }
        pending.add(look, before == null ? List.of() : Differences.between(before, look));
        wake.run();
    }

    /** No two images are made at the same time. */
    private static Instant built(Current look) {
        return look.snapshot().built();
    }
}
