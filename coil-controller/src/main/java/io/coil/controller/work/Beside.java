package io.coil.controller.work;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Does something with each of several things, a few beside each other, and waits for all. */
public final class Beside {
    private static final Duration LOOK = Duration.ofSeconds(10);

    private Beside() {}

    /**
     * Returns when all are done.
     *
     * @param tasks how many at once, at least 1
     * @param action must not throw: what it throws ends one of the tasks
     */
    public static <T> void each(
            Timeline timeline,
            String name,
            int tasks,
            Collection<T> things,
            Consumer<? super T> action)
            throws InterruptedException {
        Queue<T> queue = new ConcurrentLinkedQueue<>(things);
        List<Timeline.Running> running = new ArrayList<>();
        try {
            for (int i = 0; i < Math.min(tasks, things.size()); i++) {
                running.add(timeline.start(name + " " + i, () -> drain(queue, action)));
            }
            for (Timeline.Running task : running) {
                boolean ended = false;
                while (!ended) {
                    ended = task.awaitEnd(LOOK);
                }
            }
        } catch (InterruptedException e) {
            queue.clear();
            running.forEach(Timeline.Running::stop);
            throw e;
        }
    }

    private static <T> void drain(Queue<T> queue, Consumer<? super T> action) {
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            action.accept(next);
        }
    }
}
