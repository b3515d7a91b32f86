package io.coil.agent;

import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Real time, of which whole stretches can be left out: a process that stood still. */
final class JumpingTime implements Timeline {
    private final Timeline real;
    private final AtomicLong ahead = new AtomicLong();

    JumpingTime(Timeline real) {
        this.real = real;
    }

    void jump(Duration by) {
        ahead.addAndGet(by.toNanos());
    }

    @Override
    public Instant now() {
        return real.now().plusNanos(ahead.get());
    }

    @Override
    public long nanos() {
        return real.nanos() + ahead.get();
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
