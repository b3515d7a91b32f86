package io.coil.core.holdings;

import io.coil.core.pool.BlockRange;

import org.jspecify.annotations.Nullable;

/**
 * What a block is.
 *
 * @param poolUid UID of the pool that owns it; null if somebody made it without an owner
 * @param reserved every address counts as taken, because somebody labelled it so; the only one of
 *     these that may change
 */
public record BlockIdentity(
        String name,
        String uid,
        String pool,
        @Nullable String poolUid,
        BlockRange range,
        boolean reserved) {}
