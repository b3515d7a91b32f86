package io.coil.agent.hold;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * One at a time per name: what is done to one block, or to one container, never overlaps, however
 * long it takes; everything else goes on. First come, first served. Not a lock that a thread may
 * hit by accident: whoever waits says how long.
 */
public final class Turns<K> {
    private final Timeline time;
    // guarded by this: who waits behind the one whose turn it is
    private final Map<K, Deque<Timeline.Signal>> lines = new HashMap<>();

    public Turns(Timeline time) {
        this.time = time;
    }

    /** The right to act on one name, until closed. */
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for the turn; null if it did not come in {@code max}. */
    public @Nullable Turn take(K name, Duration max) throws InterruptedException {
        Timeline.Signal mine;
        synchronized (this) {
            Deque<Timeline.Signal> line = lines.get(name);
            if (line == null) {
                lines.put(name, new ArrayDeque<>());
                return () -> pass(name);
            }
            mine = time.signal();
            line.add(mine);
        }
        boolean got = false;
        try {
            got = mine.await(max);
        } finally {
            if (!got) {
                giveUp(name, mine);
            }
        }
        return got ? () -> pass(name) : null;
    }

    private synchronized void pass(K name) {
        Deque<Timeline.Signal> line = lines.get(name);
        if (line == null) {
            return;
        }
        Timeline.Signal next = line.poll();
        if (next == null) {
            lines.remove(name);
        } else {
            next.raise();
        }
    }

    private synchronized void giveUp(K name, Timeline.Signal mine) {
        Deque<Timeline.Signal> line = lines.get(name);
        if (line == null || !line.remove(mine)) {
            pass(name); // the turn came in the very moment of giving up
        }
    }
}
