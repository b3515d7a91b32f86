package io.coil.apiserver;

import io.coil.apiserver.storage.Storage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/** Collects garbage until it is closed. */
final class Maintenance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
    private static final Duration REST = Duration.ofMillis(100);

    private final Storage storage;
    private final Thread thread;

    Maintenance(Storage storage) {
        this.storage = storage;
        this.thread = Thread.ofVirtual().name("apiserver-maintenance").start(this::run);
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                if (storage.maintain() == 0) {
                    Thread.sleep(REST);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("Collecting garbage failed, it is tried again");
                if (!rest()) {
                    return;
                }
            }
        }
    }

    private static boolean rest() {
        try {
            Thread.sleep(REST.multipliedBy(10));
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
