package io.coil.controller.grant;

import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A pool is out of blocks, or a node at its limit, only if a live list says so that began after the
 * request was read: the watch may not have told yet of a block that has just been given back. Many
 * requests share a list.
 */
final class Exhaustion {
    private static final Duration ANOTHER_READS = Duration.ofMillis(20);

    private final Timeline timeline;
    private final LiveBlocks blocks;
    private final Object lock = new Object();
    // guarded by lock
    private final Map<String, Long> lastBegan = new HashMap<>();
    private final Set<String> reading = new HashSet<>();

    Exhaustion(Timeline timeline, LiveBlocks blocks) {
        this.timeline = timeline;
        this.blocks = blocks;
    }

    /**
     * Whether the verdict stands, given that it was first found at {@code since} (nanoseconds).
     * Otherwise decide anew, at once or after the time that is returned.
     *
     * @return null: it stands; zero: the ledger has been brought in line, decide anew
     */
    @Nullable Duration check(String pool, long since) {
        long begins = timeline.nanos();
        synchronized (lock) {
            Long began = lastBegan.get(pool);
            if (began != null && began - since >= 0) {
                return null;
            }
            if (!reading.add(pool)) {
                return ANOTHER_READS;
            }
        }
        boolean done = false;
        try {
            blocks.read(pool);
            done = true;
        } finally {
            synchronized (lock) {
                reading.remove(pool);
                if (done) {
                    lastBegan.put(pool, begins);
                }
            }
        }
        return Duration.ZERO;
    }
}
