package io.coil.kubernetes.api;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait between tries: a time chosen at random up to a ceiling that doubles with each
 * failure. Used by one task.
 */
public final class Backoff {
    private static final int MOST_DOUBLINGS = 30;

    private final Duration first;
    private final Duration most;
    private int failures;

    /**
     * With these ceilings.
     *
     * @param first ceiling of the first wait
     * @param most ceiling of all
     */
    public Backoff(Duration first, Duration most) {
        this.first = first;
        this.most = most;
    }

    /** The next wait; not less than the server asked for, and then a fifth of it at random more. */
    public Duration next(RandomGenerator random, ApiFailure failure) {
        Duration wait = next(random);
        if (failure instanceof ApiFailure.Transient t && !t.retryAfter().isZero()) {
            long asked = t.retryAfter().toNanos();
            long spread = asked + (long) (asked * random.nextDouble() / 5);
            return Duration.ofNanos(Math.max(wait.toNanos(), spread));
        }
        return wait;
    }

    public Duration next(RandomGenerator random) {
        double ceiling = first.toNanos() * Math.pow(2, Math.min(failures, MOST_DOUBLINGS));
        failures++;
        return Duration.ofNanos(
                (long) (Math.min(ceiling, (double) most.toNanos()) * random.nextDouble()));
    }

    public void reset() {
        failures = 0;
    }
}
