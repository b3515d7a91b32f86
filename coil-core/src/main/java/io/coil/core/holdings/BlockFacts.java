package io.coil.core.holdings;

/**
 * What a live read said of a block.
 *
 * @param beingDeleted it has a deletionTimestamp
 * @param poolGone its pool is not there, is another one under that name, or is being deleted
 * @param drainAsked an operator wants it emptied ({@code ops.coil.io/drain})
 */
public record BlockFacts(boolean beingDeleted, boolean poolGone, boolean drainAsked) {
    public static final BlockFacts GOOD = new BlockFacts(false, false, false);

    public BlockState state() {
        return beingDeleted || poolGone ? BlockState.DRAINING : BlockState.SERVING;
    }
}
