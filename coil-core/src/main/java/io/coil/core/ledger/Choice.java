package io.coil.core.ledger;

import io.coil.core.pool.BlockRange;

/** The answer to "which block could a node get of this pool?". Nothing is taken by asking. */
public sealed interface Choice {

    /** The lowest index that is free and whose range meets no block of any pool. */
    record Chosen(int index, BlockRange range) implements Choice {}

    /** No index is left, for the reason that the usage shows. */
    record Exhausted(PoolUsage usage) implements Choice {}
}
