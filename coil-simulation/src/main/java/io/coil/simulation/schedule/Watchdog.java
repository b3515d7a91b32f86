package io.coil.simulation.schedule;

import java.time.Duration;

/** Looks, in real time, whether a run still goes on; the only thread beside it. */
public final class Watchdog implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final Scheduler scheduler;
    private final Thread thread;

    public Watchdog(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.thread = Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
    }

    private void watch() {
        long at = -1;
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                at = scheduler.look(at);
            }
        } catch (InterruptedException e) {
            // The run is over.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
