package io.coil.admin.history;

import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Real tasks, and a wall clock that a test sets. */
final class SetTime implements Timeline {
    private final Timeline real = new VirtualThreads();
    volatile Instant now;

    SetTime(Instant now) {
        this.now = now;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return real.nanos();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        real.sleep(time);
    }

    @Override
    public Running start(String name, Task task) {
        return real.start(name, task);
    }

    @Override
    public Signal signal() {
        return real.signal();
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
