package io.coil.controller.work;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * How many things of one sort may be under way at once, whoever does them. Who has to wait is
 * served in turn, so that one who does a thousand things does not keep out one who does two.
 */
public final class Flights {
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final Timeline timeline;
    private final int most;
    private int free; // guarded by waiting
    private final Deque<Place> waiting = new ArrayDeque<>(); // guarded by itself

    /** One who waits. {@code given} is guarded by {@code waiting}. */
    private static final class Place {
        final Timeline.Signal signal;
        boolean given;

        Place(Timeline.Signal signal) {
            this.signal = signal;
        }
    }

    public Flights(Timeline timeline, int most) {
        this.timeline = timeline;
        this.most = most;
        this.free = most;
    }

    /**
     * Does something with each thing, beside each other as far as there is room, and returns when
     * all are done.
     *
     * @param action must not throw: what it throws ends one of the tasks
     */
    public <T> void each(String name, Collection<T> things, Consumer<? super T> action)
            throws InterruptedException {
        Queue<T> queue = new ConcurrentLinkedQueue<>(things);
        List<Timeline.Running> running = new ArrayList<>();
        try {
            for (int i = 0; i < Math.min(most, things.size()); i++) {
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

    private <T> void drain(Queue<T> queue, Consumer<? super T> action) throws InterruptedException {
        while (!queue.isEmpty()) {
            take();
            try {
                T next = queue.poll();
                if (next != null) {
                    action.accept(next);
                }
            } finally {
                giveBack();
            }
        }
    }

    private void take() throws InterruptedException {
        Place place = new Place(timeline.signal());
        synchronized (waiting) {
            if (free > 0) {
                free--;
                return;
            }
            waiting.addLast(place);
        }
        try {
            while (!given(place)) {
                boolean _ = place.signal.await(LOOK);
            }
        } catch (InterruptedException e) {
            leave(place);
            throw e;
        }
    }

    private boolean given(Place place) {
        synchronized (waiting) {
            return place.given;
        }
    }

    /** Nobody waits at this place any more; what it was given goes to the next one. */
    private void leave(Place place) {
        boolean pass;
        synchronized (waiting) {
            waiting.remove(place);
            pass = place.given;
        }
        if (pass) {
            giveBack();
        }
    }

    private void giveBack() {
        Place next;
        synchronized (waiting) {
            next = waiting.pollFirst();
            if (next == null) {
                free++;
                return;
            }
            next.given = true;
        }
        next.signal.raise();
    }
}
