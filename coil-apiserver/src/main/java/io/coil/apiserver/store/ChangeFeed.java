package io.coil.apiserver.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A reader's place in the changes of one type. For one thread at a time. */
public final class ChangeFeed {
    private static final int MOST_AT_ONCE = 500;

    private final ObjectStore store;
    private final ReentrantLock lock;
    private final Shelf shelf;

    // guarded by lock
    private long place;
    private boolean closed;

    ChangeFeed(ObjectStore store, ReentrantLock lock, Shelf shelf, long place) {
        this.store = store;
        this.lock = lock;
        this.shelf = shelf;
        this.place = place;
    }

    /**
     * Changes in their order.
     *
     * @param upTo everything of this type up to that version has been read with it
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
            while (place == shelf.history().next() && left > 0 && !closed) {
                left = shelf.changed().awaitNanos(left);
            }
            History history = shelf.history();
            if (place < history.first()) {
                throw new ExpiredException(0, history.floor());
            }
            List<Change> changes = new ArrayList<>();
            while (place < history.next() && changes.size() < MOST_AT_ONCE) {
                changes.add(history.get(place++));
            }
            long upTo =
                    place == history.next()
                            ? store.version()
                            : changes.get(changes.size() - 1).version();
            return new Batch(changes, upTo);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a {@link #take} that waits, with what there is; later ones do not wait. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            shelf.changed().signalAll();
        } finally {
            lock.unlock();
        }
    }
}
