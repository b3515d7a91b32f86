package io.coil.sandbox.log;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The newest lines of one pod. */
final class PodLog {
    static final int KEPT = 5_000;

    /**
     * One line.
     *
     * @param number counts from 0, also those that are no longer kept
     */
    record Line(long number, Instant time, String text) {}

    // guarded by this
    private final Deque<Line> lines = new ArrayDeque<>();
    private long next;

    synchronized void add(Instant time, String text) {
        lines.add(new Line(next++, time, text));
        if (lines.size() > KEPT) {
            lines.remove();
        }
        notifyAll();
    }

    /** What is kept, from that number on. */
    synchronized List<Line> from(long number) {
        List<Line> found = new ArrayList<>();
        lines.descendingIterator()
                .forEachRemaining(
                        line -> {
                            if (line.number() >= number) {
                                found.add(line);
                            }
                        });
        return found.reversed();
    }

    /** Waits until there is a line of that number, at most {@code max}. */
    synchronized void await(long number, Duration max) throws InterruptedException {
        long end = System.nanoTime() + max.toNanos();
        long left = max.toMillis();
        while (next <= number && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }
}
