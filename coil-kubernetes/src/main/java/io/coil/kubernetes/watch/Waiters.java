package io.coil.kubernetes.watch;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Tasks that wait for something about a reflector to become true. */
final class Waiters {
    private final Timeline timeline;
    private final List<Timeline.Signal> signals = new CopyOnWriteArrayList<>();

    Waiters(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Something changed. */
    void look() {
        signals.forEach(Timeline.Signal::raise);
    }

    boolean await(BooleanSupplier condition, Duration max) throws InterruptedException {
        long begun = timeline.nanos();
        Timeline.Signal signal = timeline.signal();
        signals.add(signal);
        try {
            while (!condition.getAsBoolean()) {
                long left = max.toNanos() - (timeline.nanos() - begun);
                if (left <= 0) {
                    return false;
                }
                signal.await(Duration.ofNanos(left));
            }
            return true;
        } finally {
            signals.remove(signal);
        }
    }
}
