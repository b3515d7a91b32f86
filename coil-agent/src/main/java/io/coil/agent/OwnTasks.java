package io.coil.agent;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The timeline of one agent: what it starts ends with it, however deep inside it was started. An
 * agent that lives on in part would be a second one beside its successor.
 */
final class OwnTasks implements Timeline {
    private final Timeline timeline;

    // guarded by this
    private final List<Running> running = new ArrayList<>();
    private boolean over;

    OwnTasks(Timeline timeline) {
        this.timeline = timeline;
    }

    @Override
    public Running start(String name, Task task) {
        if (isOver()) {
            return new Ended();
        }
        Running one = timeline.start(name, task);
        if (!remember(one)) {
            one.stop();
        }
        return one;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean remember(Running one) {
        running.removeIf(other -> !other.isAlive());
        running.add(one);
        return !over;
    }

    /** Ends all, waiting for them at most {@code max}; nothing starts any more. */
    void end(Duration max) throws InterruptedException {
        List<Running> all;
        synchronized (this) {
            over = true;
            all = List.copyOf(running);
        }
        all.forEach(Running::stop);
        long deadline = timeline.nanos() + max.toNanos();
        for (Running one : all) {
            one.awaitEnd(Duration.ofNanos(Math.max(0, deadline - timeline.nanos())));
        }
    }

    private record Ended() implements Running {
        @Override
        public void stop() {}

        @Override
        public boolean isAlive() {
            return false;
        }

        @Override
        public boolean awaitEnd(Duration max) {
            return true;
        }
    }

    @Override
    public Instant now() {
        return timeline.now();
    }

    @Override
    public long nanos() {
        return timeline.nanos();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        timeline.sleep(time);
    }

    @Override
    public Signal signal() {
        return timeline.signal();
    }

    @Override
    public RandomGenerator random() {
        return timeline.random();
    }
}
