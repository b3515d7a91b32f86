package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * The last changes of one type, a bounded ring. Changes have a sequence number of their own, which
 * only grows, so that a reader can keep its place. Not safe by itself: the store's lock guards it.
 */
final class History {
    private final int capacity;
    private @Nullable Change[] ring;

    /** Sequence number of the next change to be added. */
    private long next;

    /** Sequence number below which everything was forgotten on purpose. */
    private long base;

    /** Version of the last change that is no longer here; versions from here on can be served. */
    private long floor;

    History(int capacity, long floor) {
        this.capacity = capacity;
        this.ring = new Change[Math.min(capacity, 64)];
        this.floor = floor;
    }

    void add(Change change) {
        if (next == ring.length && ring.length < capacity) {
            grow();
        }
        int slot = (int) (next % ring.length);
        Change dropped = ring[slot];
        if (dropped != null && next >= ring.length) {
            floor = Math.max(floor, dropped.version());
        }
        ring[slot] = change;
        next++;
    }

    /** Only before the first wrap-around, so that slots keep their meaning. */
    private void grow() {
        @Nullable Change[] larger = new Change[Math.min(capacity, ring.length * 4)];
        System.arraycopy(ring, 0, larger, 0, ring.length);
        ring = larger;
    }

    /** Sequence number of the first change that is still here. */
    long first() {
        return Math.max(base, next - ring.length);
    }

    long next() {
        return next;
    }

    long floor() {
        return floor;
    }

    Change get(long sequence) {
        Change change = ring[(int) (sequence % ring.length)];
        if (sequence < first() || sequence >= next || change == null) {
            throw new IllegalStateException("no change with sequence " + sequence);
        }
        return change;
    }

    /** Forgets everything: who looks back is told that it is too late. */
    void expire() {
        if (next > first()) {
            floor = get(next - 1).version();
        }
        base = next;
    }

    /** Sequence number of the first change after that version. */
    long after(long version) throws ExpiredException {
        if (version < floor) {
            throw new ExpiredException(version, floor);
        }
        long low = first();
        long high = next;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (get(middle).version() > version) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
