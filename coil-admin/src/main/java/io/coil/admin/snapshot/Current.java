package io.coil.admin.snapshot;

import java.time.Duration;
import java.time.Instant;

/**
 * The image of now, and how old what it shows is.
 *
 * @param asOf when the API was last heard of, by whatever watch heard of it longest ago
 * @param age since then, on the monotonic clock
 * @param controller whether a controller leads: its lease was renewed within its time
 */
public record Current(Snapshot snapshot, Instant asOf, Duration age, boolean controller) {
    /** Older than this, the API counts as silent: pages warn, and nothing is started. */
    public static final Duration STALE = Duration.ofSeconds(40);

    public boolean stale() {
        return age.compareTo(STALE) > 0;
    }
}
