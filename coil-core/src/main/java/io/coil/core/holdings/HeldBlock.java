package io.coil.core.holdings;

import io.coil.core.block.BlockAllocator;
import io.coil.core.pool.BlockRange;

import org.jspecify.annotations.Nullable;

import java.util.HexFormat;

/**
 * A block in the aggregate; never leaves it. Guarded by the owner's lock, as all of {@link
 * NodeHoldings}.
 */
final class HeldBlock {
    BlockIdentity id;
    final BlockAllocator addresses;
    private final CoolingAddresses cooling = new CoolingAddresses();
    BlockState state;
    boolean beingDeleted;
    boolean drainAsked;
    boolean returnFailed;

    /** A live read has said that it must not give any more; whatever a watch shows, that stays. */
    boolean ended;

    /** It is wanted again before a DELETE was sent, and serves as soon as its route is back. */
    boolean keeping;

    int assigned;
    long emptySinceNanos;

    HeldBlock(BlockIdentity id, BlockFacts facts, long nowNanos) {
        this.id = id;
        this.state = facts.state();
        this.beingDeleted = facts.beingDeleted();
        this.drainAsked = facts.drainAsked();
        this.ended = facts.state() == BlockState.DRAINING;
        this.addresses = new BlockAllocator(id.range().capacity());
        this.emptySinceNanos = nowNanos;
    }

    BlockRange range() {
        return id.range();
    }

    boolean empty() {
        return assigned == 0;
    }

    /** Stays while it is empty, so it is there to be given back. */
    boolean stays() {
        return state == BlockState.SERVING || state == BlockState.DRAINING;
    }

    boolean onItsWay() {
        return !stays() && !keeping;
    }

    /**
     * A block of an earlier pool of that name gives nothing: the pool's addresses may be cut
     * otherwise by now.
     */
    boolean gives(@Nullable String poolUid) {
        return state == BlockState.SERVING && !drainAsked && !id.reserved() && isOf(poolUid);
    }

    boolean isOf(@Nullable String poolUid) {
        return id.poolUid() == null || id.poolUid().equals(poolUid);
    }

    boolean hasRoom(long nowNanos) {
        cooling.warmUp(addresses, nowNanos);
        return !addresses.isFull();
    }

    /** A live read said something new of a block that is held already. */
    void learn(BlockIdentity now, BlockFacts facts) {
        id = now; // labels are anybody's to change
        beingDeleted |= facts.beingDeleted();
        drainAsked = facts.drainAsked();
        if (facts.state() == BlockState.DRAINING) {
            stopGiving();
        }
    }

    /** No new address of it, whatever comes; one that is on its way back already stays so. */
    void stopGiving() {
        ended = true;
        if (state == BlockState.SERVING || keeping) {
            state = BlockState.DRAINING;
            keeping = false;
        }
    }

    /** Takes the next address of a block that has room. */
    long take() {
        long offset = addresses.takeNext();
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
            cooling.add(offset, nowNanos + delayNanos);
        } else {
            addresses.free(offset);
        }
        if (assigned == 0) {
            emptySinceNanos = nowNanos;
        }
    }

    boolean coolUntil(long offset, long untilNanos) {
        if (!addresses.takeExact(offset)) {
            return false;
        }
        cooling.add(offset, untilNanos);
        return true;
    }

    /** When the next of the freed addresses may be given again; null if none waits. */
    @Nullable Long coolAtNanos(long nowNanos) {
        cooling.warmUp(addresses, nowNanos);
        return cooling.firstUntilNanos();
    }

    /** When the last of them may: before that the block is not given back. */
    @Nullable Long allCoolAtNanos(long nowNanos) {
        cooling.warmUp(addresses, nowNanos);
        return cooling.lastUntilNanos();
    }

    BlockView view(PoolTerms terms, long nowNanos) {
        return new BlockView(
                id,
                state,
                beingDeleted,
                drainAsked,
                assigned,
                empty() ? Math.max(0, nowNanos - emptySinceNanos) : 0,
                range().capacity() <= 256 ? HexFormat.of().formatHex(addresses.bitmap()) : null,
                empty() && gives(terms.uid()) && terms.spares() > 0,
                returnFailed);
    }
}
