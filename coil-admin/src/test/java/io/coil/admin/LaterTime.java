package io.coil.admin;

import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Real time with a jump: what would be a minute of waiting is none. */
final class LaterTime implements Timeline {
    private final Timeline real = new VirtualThreads();
    private final AtomicLong later = new AtomicLong();

    void jump(Duration by) {
        later.addAndGet(by.toNanos());
    }

    @Override
    public Instant now() {
        return real.now().plusNanos(later.get());
    }

    @Override
    public long nanos() {
        return real.nanos() + later.get();
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
