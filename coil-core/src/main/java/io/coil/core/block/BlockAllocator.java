package io.coil.core.block;

import org.jspecify.annotations.Nullable;

import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Which addresses of one block are used, as offsets from its first.
 *
 * <p>Next-fit: the search goes on behind the address taken last and wraps around, so an address
 * that was freed comes last. An address can also be reserved: it is not handed out and not used.
 * Costs memory by what is used, not by the size of the block; taking and freeing allocates nothing
 * but the result, in blocks of up to {@value #KEPT_CHUNKS} times {@value Chunk#SIZE} addresses.
 *
 * <p>Not thread-safe: whoever owns the block guards it.
 */
public final class BlockAllocator {
    /** Empty chunks are kept up to this many, so that taking and freeing in turn costs nothing. */
    static final int KEPT_CHUNKS = 16;

    private final long capacity;
    private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
    private @Nullable Chunk recent;
    private long cursor;
    private long used;
    private long reserved;

    /**
     * @param capacity number of addresses, at least 1
     */
    public BlockAllocator(long capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a block has at least one address: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Takes a free address; empty if none is left. */
    public OptionalLong take() {
        return isFull() ? OptionalLong.empty() : OptionalLong.of(takeNext());
    }

    /**
     * Takes a free address of a block that is not full.
     *
     * @throws IllegalStateException if it is
     */
    public long takeNext() {
        if (isFull()) {
            throw new IllegalStateException("no address of %d is free".formatted(capacity));
        }
        long offset = nextFree();
        chunkAt(offset).take(offset);
        used++;
        goOnBehind(offset);
        return offset;
    }

    /** Takes that address; false if it is used or reserved. */
    public boolean takeExact(long offset) {
        requireInside(offset);
        if (!chunkAt(offset).take(offset)) {
            return false;
        }
        used++;
        if (offset >= cursor) {
            // What a restart finds in use was taken before what is free below it was freed.
            goOnBehind(offset);
        }
        return true;
    }

    /** The next address taken is one behind that one, if any there is free. */
    public void goOnBehind(long offset) {
        requireInside(offset);
        cursor = offset + 1 == capacity ? 0 : offset + 1;
    }

    /** Frees an address; false if it was not used. */
    public boolean free(long offset) {
        requireInside(offset);
        Chunk chunk = find(offset);
        if (chunk == null || !chunk.free(offset)) {
            return false;
        }
        used--;
        dropIfEmpty(chunk);
        return true;
    }

    /** Keeps a free address from being handed out; false if it is used or reserved. */
    public boolean reserve(long offset) {
        requireInside(offset);
        if (!chunkAt(offset).reserve(offset)) {
            return false;
        }
        reserved++;
        return true;
    }

    /** Ends a reservation; false if there was none. */
    public boolean unreserve(long offset) {
        requireInside(offset);
        Chunk chunk = find(offset);
        if (chunk == null || !chunk.unreserve(offset)) {
            return false;
        }
        reserved--;
        dropIfEmpty(chunk);
        return true;
    }

    public boolean isUsed(long offset) {
        requireInside(offset);
        Chunk chunk = find(offset);
        return chunk != null && chunk.isUsed(offset);
    }

    public boolean isReserved(long offset) {
        requireInside(offset);
        Chunk chunk = find(offset);
        return chunk != null && chunk.isReserved(offset);
    }

    public long capacity() {
        return capacity;
    }

    /** The number of used addresses; reserved ones do not count. */
    public long used() {
        return used;
    }

    public long reserved() {
        return reserved;
    }

    /** The number of addresses that can be taken. */
    public long free() {
        return capacity - used - reserved;
    }

    /** Whether no address can be taken: each is used or reserved. */
    public boolean isFull() {
        return free() == 0;
    }

    /** Whether no address is used; reserved ones do not count. */
    public boolean isEmpty() {
        return used == 0;
    }

    /** Calls the consumer with each used offset, in ascending order. */
    public void forEachUsed(LongConsumer consumer) {
        chunks.values().forEach(chunk -> chunk.forEachUsed(consumer));
    }

    /**
     * One bit per address of a block of up to 256, the lowest bit of the first byte first; 1 is
     * used. Empty for larger blocks.
     */
    public byte[] bitmap() {
        if (capacity > 256) {
            return new byte[0];
        }
        byte[] bitmap = new byte[(int) (capacity + 7) / 8];
        forEachUsed(offset -> bitmap[(int) offset >>> 3] |= (byte) (1 << (offset & 7)));
        return bitmap;
    }

    int chunks() {
        return chunks.size();
    }

    /** The first free offset from the cursor on, around the end. There is one. */
    private long nextFree() {
        long from = cursor;
        while (true) {
            Chunk chunk = find(from);
            if (chunk == null) {
                return from;
            }
            long offset = chunk.firstFree(from);
            if (offset >= 0) {
                return offset;
            }
            from = chunk.end();
            if (from >= capacity) {
                from = 0;
            }
        }
    }

    private @Nullable Chunk find(long offset) {
        if (recent != null && recent.holds(offset)) {
            return recent;
        }
        Chunk chunk = chunks.get(Chunk.number(offset));
        if (chunk != null) {
            recent = chunk;
        }
        return chunk;
    }

    private Chunk chunkAt(long offset) {
        Chunk chunk = find(offset);
        if (chunk == null) {
            chunk = new Chunk(Chunk.number(offset), capacity);
            chunks.put(chunk.number(), chunk);
            recent = chunk;
        }
        return chunk;
    }

    private void dropIfEmpty(Chunk chunk) {
        if (chunk.isVacant() && chunks.size() > KEPT_CHUNKS) {
            chunks.remove(chunk.number());
            recent = null;
        }
    }

    private void requireInside(long offset) {
        if (offset < 0 || offset >= capacity) {
            throw new IndexOutOfBoundsException(
                    "no address %d in a block of %d".formatted(offset, capacity));
        }
    }
}
