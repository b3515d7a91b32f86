package io.coil.core.holdings;

import io.coil.core.block.BlockAllocator;
import io.coil.core.pool.BlockRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A block in the aggregate; never leaves it. Guarded by the owner's lock, as all of {@link
 * NodeHoldings}.
 */
final class HeldBlock {
    /** A freed address that may not be given again yet. */
    private record Cooling(long offset, long untilNanos) {}

    final BlockIdentity id;
    final BlockAllocator addresses;
    private final Deque<Cooling> cooling = new ArrayDeque<>();
    BlockState state;
    boolean beingDeleted;
    boolean drainAsked;
    boolean returnFailed;

    /** It is wanted again before a DELETE was sent, and serves as soon as its route is back. */
    boolean keeping;

    int assigned;
    long emptySinceNanos;

    HeldBlock(BlockIdentity id, BlockFacts facts, long nowNanos) {
        this.id = id;
        this.state = facts.state();
        this.beingDeleted = facts.beingDeleted();
        this.drainAsked = facts.drainAsked();
        this.addresses = new BlockAllocator(id.range().capacity());
        this.emptySinceNanos = nowNanos;
    }

    BlockRange range() {
        return id.range();
    }

    boolean empty() {
        return assigned == 0;
    }

    /**
     * A block of an earlier pool of that name gives nothing: the pool's addresses may be cut
     * otherwise by now.
     */
    boolean gives(@Nullable String poolUid) {
        return state == BlockState.SERVING
                && !drainAsked
                && !id.reserved()
                && (id.poolUid() == null || id.poolUid().equals(poolUid));
    }

    boolean hasRoom(long nowNanos) {
        warmUp(nowNanos);
        return !addresses.isFull();
    }

    /** A live read said something new of a block that is held already. */
    void learn(BlockFacts facts) {
        beingDeleted |= facts.beingDeleted();
        drainAsked = facts.drainAsked();
        if (facts.state() == BlockState.DRAINING && (state == BlockState.SERVING || keeping)) {
            state = BlockState.DRAINING;
            keeping = false;
        }
    }

    /** Takes the next address of a block that has room. */
    long take() {
        long offset = addresses.take().orElseThrow();
        assigned++;
        return offset;
    }

    boolean takeExact(long offset) {
        if (!addresses.takeExact(offset)) {
            return false;
        }
        assigned++;
        return true;
    }

    void free(long offset, long nowNanos, long delayNanos) {
        assigned--;
        if (delayNanos > 0) {
            cooling.add(new Cooling(offset, nowNanos + delayNanos));
        } else {
            addresses.free(offset);
        }
        if (assigned == 0) {
            emptySinceNanos = nowNanos;
        }
    }

    /** When the next of the freed addresses may be given again; null if none waits. */
    @Nullable Long coolAtNanos(long nowNanos) {
        warmUp(nowNanos);
        Cooling first = cooling.peek();
        return first == null ? null : first.untilNanos();
    }

    /** When the last of them may: before that the block is not given back. */
    @Nullable Long allCoolAtNanos(long nowNanos) {
        warmUp(nowNanos);
        Cooling last = cooling.peekLast();
        return last == null ? null : last.untilNanos();
    }

    private void warmUp(long nowNanos) {
        for (Cooling c = cooling.peek();
                c != null && c.untilNanos() - nowNanos <= 0;
                c = cooling.peek()) {
            cooling.remove();
            addresses.free(c.offset());
        }
    }
}
