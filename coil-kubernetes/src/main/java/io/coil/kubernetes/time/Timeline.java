package io.coil.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The seam of time: clock, waiting, and running something beside.
 *
 * <p>Controller and agent read no clock, sleep, start threads or wait in any other way. So the same
 * code runs in production on virtual threads, and in a simulation where one task at a time may run
 * and time is a number.
 */
public interface Timeline {

    /**
     * A task: interrupted when it is stopped. An exception that leaves it is logged and ends it.
     */
    @FunctionalInterface
    interface Task {
        void run() throws InterruptedException;
    }

    /** A task that was started. */
    interface Running {
        /** Asks the task to end: it is interrupted at its next (or present) wait. */
        void stop();

        boolean isAlive();

        /** Waits until the task has ended, at most {@code max}; says whether it has. */
        boolean awaitEnd(Duration max) throws InterruptedException;
    }

    /**
     * Something to wait for. Raising it lets the present or the next wait return; raises are not
     * counted.
     */
    interface Signal {
        void raise();

        /**
         * Waits until raised, at most {@code max}; true if raised. The signal is then down again.
         * One task at a time waits.
         */
        boolean await(Duration max) throws InterruptedException;
    }

    /** Wall clock, for stamps that people read. It may jump; never measure with it. */
    Instant now();

    /** Monotonic nanoseconds, for graces and deadlines; only differences mean something. */
    long nanos();

    void sleep(Duration time) throws InterruptedException;

    /** Runs {@code task} beside the caller; {@code name} is what thread dumps and traces show. */
    Running start(String name, Task task);

    Signal signal();

    /** For jitter and choices; seeded in a simulation. Safe for use by several tasks. */
    RandomGenerator random();

    /**
     * {@code interval} lengthened or shortened at random by up to {@code fraction} of it (0 to 1).
     */
    default Duration jitter(Duration interval, double fraction) {
        double factor = 1 + (random().nextDouble() * 2 - 1) * fraction;
        return Duration.ofNanos(Math.round(interval.toNanos() * factor));
    }
}
