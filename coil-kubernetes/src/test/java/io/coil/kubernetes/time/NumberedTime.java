package io.coil.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Time for one task, that passes when it sleeps. */
public final class NumberedTime implements Timeline {
    private final Random random = new Random(1);
    private long nanos;
    public final List<Duration> slept = new ArrayList<>();

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration time) {
        slept.add(time);
        nanos += time.toNanos();
    }

    @Override
    public Running start(String name, Task task) {
        throw new IllegalStateException("there is one task only");
    }

    @Override
    public Signal signal() {
        throw new IllegalStateException("there is one task only");
    }

    @Override
    public RandomGenerator random() {
        return random;
    }
}
