package io.coil.core.block;

import java.util.function.LongConsumer;

/** A run of addresses of a block, in which something was used at least once. */
final class Chunk {
    static final int SIZE = 4096;
    private static final int SHIFT = 12;

    private final long number;
    private final long start;
    private final int length;
    private final long[] busy; // used or reserved
    private long[] kept = {}; // reserved; of the length of `busy` from the first reservation on
    private int busyCount;

    Chunk(long number, long capacity) {
        this.number = number;
        this.start = number << SHIFT;
        this.length = (int) Math.min(SIZE, capacity - start);
        this.busy = new long[(length + 63) >>> 6];
    }

    static long number(long offset) {
        return offset >>> SHIFT;
    }

    long number() {
        return number;
    }

    boolean holds(long offset) {
        return offset >>> SHIFT == number;
    }

    /** The offset behind this chunk; may be the end of the block, and only overflows beyond it. */
    long end() {
        long end = start + length;
        return end < 0 ? Long.MAX_VALUE : end;
    }

    boolean take(long offset) {
        int i = (int) (offset - start);
        long bit = 1L << i;
        if ((busy[i >>> 6] & bit) != 0) {
            return false;
        }
        busy[i >>> 6] |= bit;
        busyCount++;
        return true;
    }

    boolean free(long offset) {
        if (!isUsed(offset)) {
            return false;
        }
        clear(offset);
        return true;
    }

    boolean reserve(long offset) {
        if (!take(offset)) {
            return false;
        }
        if (kept.length == 0) {
            kept = new long[busy.length];
        }
        int i = (int) (offset - start);
        kept[i >>> 6] |= 1L << i;
        return true;
    }

    boolean unreserve(long offset) {
        if (!isReserved(offset)) {
            return false;
        }
        int i = (int) (offset - start);
        kept[i >>> 6] &= ~(1L << i);
        clear(offset);
        return true;
    }

    boolean isUsed(long offset) {
        int i = (int) (offset - start);
        return (busy[i >>> 6] & 1L << i) != 0 && !isReserved(offset);
    }

    boolean isReserved(long offset) {
        int i = (int) (offset - start);
        return kept.length > 0 && (kept[i >>> 6] & 1L << i) != 0;
    }

    boolean isVacant() {
        return busyCount == 0;
    }

    /** The first free offset from that one to the end of the chunk, or -1. */
    long firstFree(long from) {
        if (busyCount == length) {
            return -1;
        }
        int i = (int) (from - start);
        int word = i >>> 6;
        long free = ~busy[word] & -1L << i;
        while (free == 0) {
            if (++word == busy.length) {
                return -1;
            }
            free = ~busy[word];
        }
        int found = (word << 6) + Long.numberOfTrailingZeros(free);
        return found < length ? start + found : -1;
    }

    void forEachUsed(LongConsumer consumer) {
        for (int word = 0; word < busy.length; word++) {
            long used = kept.length == 0 ? busy[word] : busy[word] & ~kept[word];
            for (; used != 0; used &= used - 1) {
                consumer.accept(start + (word << 6) + Long.numberOfTrailingZeros(used));
            }
        }
    }

    private void clear(long offset) {
        int i = (int) (offset - start);
        busy[i >>> 6] &= ~(1L << i);
        busyCount--;
    }
}
