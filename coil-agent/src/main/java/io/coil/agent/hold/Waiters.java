package io.coil.agent.hold;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** ADDs that wait for room in a pool, each on a signal of its own, none under a lock. */
public final class Waiters {
    private final Timeline time;
    private final Map<String, Set<Waiter>> byPool = new HashMap<>(); // guarded by this

    public Waiters(Timeline time) {
        this.time = time;
    }

    /** One ADD that waits. */
    public final class Waiter implements AutoCloseable {
        private final String pool;
        private final Timeline.Signal signal = time.signal();
        private volatile @Nullable String failure;

        private Waiter(String pool) {
            this.pool = pool;
        }

        public Timeline.Signal signal() {
            return signal;
        }

        /** Why the request that this ADD waited for was refused; null if it was not. */
        public @Nullable String failure() {
            return failure;
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    public synchronized Waiter register(String pool) {
        Waiter waiter = new Waiter(pool);
        byPool.computeIfAbsent(pool, p -> new LinkedHashSet<>()).add(waiter);
        return waiter;
    }

    public synchronized boolean any(String pool) {
        return byPool.containsKey(pool);
    }

    /** There may be room now. */
    public void wake(String pool) {
        of(pool).forEach(w -> w.signal.raise());
    }

    /** The request that they waited for was refused: they wait no longer. */
    public void fail(String pool, String reason) {
        for (Waiter waiter : takeAll(pool)) {
            waiter.failure = reason;
            waiter.signal.raise();
        }
    }

    /** Nobody gets anything any more: the agent ends. */
    public void failAll(String reason) {
        pools().forEach(pool -> fail(pool, reason));
    }

    private synchronized List<String> pools() {
        return List.copyOf(byPool.keySet());
    }

    private synchronized Set<Waiter> takeAll(String pool) {
        Set<Waiter> all = byPool.remove(pool);
        return all == null ? Set.of() : all;
    }

    private synchronized List<Waiter> of(String pool) {
        return List.copyOf(byPool.getOrDefault(pool, Set.of()));
    }

    private synchronized void leave(Waiter waiter) {
        Set<Waiter> waiters = byPool.get(waiter.pool);
        if (waiters != null && waiters.remove(waiter) && waiters.isEmpty()) {
            byPool.remove(waiter.pool);
        }
    }
}
