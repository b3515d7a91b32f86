package io.coil.apiserver.rest;

import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.CommitListener;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Which version was the current one some time ago, to about 10 ms, for the last while. */
public final class VersionTimes implements CommitListener {
    private static final long GRAIN = Duration.ofMillis(10).toNanos();
    private static final int MOST = 20_000;

    private final LongSupplier nanos;
    private final long atStart;
    // guarded by this: from a moment (in grains) to the version after it
    private final TreeMap<Long, Long> versions = new TreeMap<>();

    /**
     * @param atStart the version from which on it listens
     */
    public VersionTimes(LongSupplier nanos, long atStart) {
        this.nanos = nanos;
        this.atStart = atStart;
    }

    @Override
    public synchronized void committed(Change change) {
        versions.put(Math.floorDiv(nanos.getAsLong(), GRAIN), change.version());
        if (versions.size() > MOST) {
            versions.pollFirstEntry();
        }
    }

    synchronized long before(Duration span) {
        long moment = Math.floorDiv(nanos.getAsLong() - span.toNanos(), GRAIN);
        Map.Entry<Long, Long> found = versions.floorEntry(moment);
        return found == null ? atStart : found.getValue();
    }
}
