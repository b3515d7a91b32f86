package io.coil.core.holdings;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Pods that want an address of a pool and have none yet.
 *
 * <p>A pod's demand begins with its ADD and ends when an ADD of it succeeds, or when none has come
 * for the hold time. A failed ADD, and the DEL after it, are not its end: the runtime comes again,
 * and meanwhile neither the request is withdrawn nor an empty block of that pool given back. Not
 * thread-safe: guarded by the lock of {@link NodeHoldings}.
 */
public final class Demand {
    private final Map<String, Map<PodRef, Long>> byPool = new HashMap<>();
    private final long holdNanos;

    public Demand(long holdNanos) {
        this.holdNanos = holdNanos;
    }

    /** An ADD of this pod has come, or still waits. */
    public void asked(String pool, PodRef pod, long nowNanos) {
        byPool.computeIfAbsent(pool, p -> new HashMap<>()).put(pod, nowNanos);
    }

    public void satisfied(PodRef pod) {
        if (!byPool.isEmpty()) {
            byPool.values().forEach(pods -> pods.remove(pod));
            byPool.values().removeIf(Map::isEmpty);
        }
    }

    /** Nobody is to wait for this pool any more: there is no such pool. */
    public void dropped(String pool) {
        byPool.remove(pool);
    }

    public boolean exists(String pool, long nowNanos) {
        Map<PodRef, Long> pods = byPool.get(pool);
        if (pods == null) {
            return false;
        }
        for (Iterator<Long> last = pods.values().iterator(); last.hasNext(); ) {
            if (nowNanos - last.next() > holdNanos) {
                last.remove();
            }
        }
        if (pods.isEmpty()) {
            byPool.remove(pool);
            return false;
        }
        return true;
    }

    /** When the demand for this pool ends if nobody asks again; meaningful only while it exists. */
    public long endsAtNanos(String pool, long nowNanos) {
        Map<PodRef, Long> pods = byPool.getOrDefault(pool, Map.of());
        long latest = nowNanos - holdNanos;
        for (long asked : pods.values()) {
            latest = Math.max(latest, asked);
        }
        return latest + holdNanos;
    }
}
