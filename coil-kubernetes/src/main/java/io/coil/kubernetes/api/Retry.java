package io.coil.kubernetes.api;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Tries a call again while it fails in a way that may pass. Only {@link ApiFailure.Transient} is
 * tried again: after a stale one the caller must look first, and a rejected one will be rejected
 * again.
 *
 * @param first ceiling of the first wait
 * @param most ceiling of every wait
 * @param attempts calls at most, at least 1
 * @param within no try begins later than this after the first
 */
public record Retry(Duration first, Duration most, int attempts, Duration within) {
    public static final Retry STANDARD =
            new Retry(Duration.ofMillis(200), Duration.ofSeconds(5), 8, Duration.ofSeconds(30));

    public Retry {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts: " + attempts + " is less than 1");
        }
    }

    /** What {@code call} returned, or its last failure. */
    public <R> R call(Timeline timeline, Supplier<R> call) throws InterruptedException {
        long begun = timeline.nanos();
        Backoff backoff = new Backoff(first, most);
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (ApiFailure.Transient failure) {
                Duration wait = backoff.next(timeline.random(), failure);
                long then = timeline.nanos() - begun + wait.toNanos();
                if (attempt >= attempts || then > within.toNanos()) {
                    throw failure;
                }
                timeline.sleep(wait);
            }
        }
    }

    public void run(Timeline timeline, Runnable call) throws InterruptedException {
        this.<Boolean>call(
                timeline,
                () -> {
                    call.run();
                    return true;
                });
    }
}
