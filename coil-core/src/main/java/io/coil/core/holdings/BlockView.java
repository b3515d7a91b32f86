package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

/**
 * A block as it was at one moment.
 *
 * @param used addresses given to containers
 * @param emptyForNanos how long it has been empty; 0 while used
 * @param bitmap addresses that are not free, for up to 256 of them: address 0 is the lowest bit of
 *     the first byte; null for more
 * @param spare empty, and within the pool's allowance
 * @param returnFailed an attempt to give it back has failed
 */
public record BlockView(
        BlockIdentity id,
        BlockState state,
        boolean beingDeleted,
        boolean drainAsked,
        long used,
        long emptyForNanos,
        @Nullable String bitmap,
        boolean spare,
        boolean returnFailed) {

    public boolean empty() {
        return used == 0;
    }

    BlockView notSpare() {
        return new BlockView(
                id,
                state,
                beingDeleted,
                drainAsked,
                used,
                emptyForNanos,
                bitmap,
                false,
                returnFailed);
    }
}
