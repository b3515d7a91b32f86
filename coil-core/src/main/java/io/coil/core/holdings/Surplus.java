package io.coil.core.holdings;

import java.util.List;

/**
 * Blocks that nobody needs.
 *
 * @param due may be given back now, with the evidence
 * @param nextLookNanos when another may have become due; {@link Long#MAX_VALUE} if nothing is in
 *     sight
 */
public record Surplus(List<Due> due, long nextLookNanos) {

    /**
     * A block and why it is surplus.
     *
     * @param wasDeleted somebody has deleted it, or its pool: it goes under every collection mode
     * @param evidence a sentence for a human
     */
    public record Due(BlockView block, boolean wasDeleted, String evidence) {}
}
