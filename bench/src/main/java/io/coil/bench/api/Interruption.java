package io.coil.bench.api;

import java.time.Duration;

/**
 * Ctrl-C: interrupts the thread that measures, and lets the JVM end only when that thread has
 * swept.
 */
public final class Interruption implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofMinutes(2);

    private final Thread hook;
    private volatile boolean over;

    private Interruption(Thread measuring) {
        this.hook = new Thread(() -> end(measuring), "interruption");
    }

    public static Interruption ofThisThread() {
        Interruption interruption = new Interruption(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void end(Thread measuring) {
        long until = System.nanoTime() + SWEEP.toNanos();
        measuring.interrupt();
        while (!over && System.nanoTime() - until < 0) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void close() {
        over = true;
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endsAlready) {
            // It is running, and sees that all is over.
            return;
        }
    }
}
