package io.coil.core.ledger;

import io.coil.core.pool.BlockRange;

import org.jspecify.annotations.Nullable;

/**
 * A block as the ledger knows it.
 *
 * @param pool the pool of its name: the index of this pool is taken by it
 * @param range null if its fields cannot be read; its index is taken all the same
 * @param node null if it has no node label
 */
public record LedgerBlock(
        String name,
        String uid,
        String pool,
        int index,
        @Nullable BlockRange range,
        @Nullable String node) {}
