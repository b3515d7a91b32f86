package io.coil.kubernetes.time;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Real time, each task a virtual thread. */
public final class VirtualThreads implements Timeline {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualThreads.class);

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    @Override
    public Running start(String name, Task task) {
        Thread thread = Thread.ofVirtual().name(name).start(() -> runToItsEnd(name, task));
        return new VirtualThread(thread);
    }

    private static void runToItsEnd(String name, Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            LOG.atDebug().addKeyValue("task", name).log("task stopped");
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue("task", name).setCause(e).log("task ended by an error");
        }
    }

    @Override
    public Signal signal() {
        return new SemaphoreSignal();
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    private record VirtualThread(Thread thread) implements Running {
        @Override
        public void stop() {
            thread.interrupt();
        }

        @Override
        public boolean isAlive() {
            return thread.isAlive();
        }

        @Override
        public boolean awaitEnd(Duration max) throws InterruptedException {
            return thread.join(max);
        }
    }

    private static final class SemaphoreSignal implements Signal {
        private final Semaphore raised = new Semaphore(0);

        @Override
        public void raise() {
            raised.release();
        }

        @Override
        public boolean await(Duration max) throws InterruptedException {
            boolean got = raised.tryAcquire(Math.max(0, max.toNanos()), TimeUnit.NANOSECONDS);
            raised.drainPermits();
            return got;
        }
    }
}
