package io.coil.bench.api;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Tasks that belong together: the first that fails, or an interrupt of who waits, ends all. */
public final class Tasks {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration END = Duration.ofSeconds(10);

    private final Timeline timeline;
    private final List<Timeline.Running> running = new ArrayList<>();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    public Tasks(Timeline timeline) {
        this.timeline = timeline;
    }

    public void start(String name, Timeline.Task task) {
        running.add(
                timeline.start(
                        name,
                        () -> {
                            try {
                                task.run();
                            } catch (RuntimeException e) {
                                failure.compareAndSet(null, e);
                            }
                        }));
    }

    /** Returns when all have ended well; throws what the first failure was. */
    public void await() throws InterruptedException {
        try {
            for (Timeline.Running task : running) {
                while (failure.get() == null && !task.awaitEnd(LOOK)) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            end();
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** What is done already is not touched by a stop. */
    private void end() throws InterruptedException {
        running.forEach(Timeline.Running::stop);
        for (Timeline.Running task : running) {
            if (!task.awaitEnd(END)) {
                throw new IllegalStateException("a task does not end");
            }
        }
    }
}
