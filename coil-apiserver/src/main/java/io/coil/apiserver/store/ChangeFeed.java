package io.coil.apiserver.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The changes of one type that a reader is interested in, kept for it until it takes them. */
public final class ChangeFeed implements AutoCloseable {
    private final ObjectStore store;
    private final ReentrantLock lock;
    private final Shelf shelf;
    private final Interest interest;
    private final int capacity;
    private final Condition arrived;

    // guarded by lock
    private List<Change> waiting = new ArrayList<>();
    private boolean expired;
    private boolean closed;

    ChangeFeed(
            ObjectStore store, ReentrantLock lock, Shelf shelf, Interest interest, int capacity) {
        this.store = store;
        this.lock = lock;
        this.shelf = shelf;
        this.interest = interest;
        this.capacity = capacity;
        this.arrived = lock.newCondition();
    }

    /**
     * Changes in their order; some of them may be no concern of the reader after all.
     *
     * @param upTo everything that concerns the reader up to that version has been taken with it
     */
    public record Batch(List<Change> changes, long upTo) {}

    /**
     * What has come since the last call; waits at most {@code max} for something to come.
     *
     * @throws ExpiredException when the reader was too slow and changes were dropped meanwhile
     */
    public Batch take(Duration max) throws ExpiredException, InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = max.toNanos();
            while (waiting.isEmpty() && left > 0 && !closed && !expired) {
                left = arrived.awaitNanos(left);
            }
            if (expired) {
                throw new ExpiredException(0, store.version());
            }
            List<Change> taken = waiting;
            waiting = new ArrayList<>();
            return new Batch(taken, store.version());
        } finally {
            lock.unlock();
        }
    }

    /** Ends a {@link #take} that waits, with what there is; later ones do not wait. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            shelf.readers().remove(this);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Interest interest() {
        return interest;
    }

    void add(Change change) {
        if (waiting.size() >= capacity) {
            expire();
        } else if (!expired) {
            waiting.add(change);
            arrived.signalAll();
        }
    }

    /** It has missed something: it will be told so, and then has to list again. */
    void expire() {
        expired = true;
        waiting = new ArrayList<>();
        arrived.signalAll();
    }
}
