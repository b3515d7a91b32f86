package io.coil.kubernetes.events;

import java.time.Duration;

/** Ten at once, then one a minute. */
final class Bucket {
    static final int BURST = 10;
    private static final long EVERY = Duration.ofMinutes(1).toNanos();

    private int left = BURST;
    private long refilled;

    Bucket(long now) {
        this.refilled = now;
    }

    boolean take(long now) {
        long more = (now - refilled) / EVERY;
        if (more > 0) {
            left = (int) Math.min(BURST, left + more);
            refilled += more * EVERY;
        }
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}
