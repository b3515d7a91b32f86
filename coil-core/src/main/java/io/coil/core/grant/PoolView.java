package io.coil.core.grant;

import io.coil.core.pool.PoolReading;

import java.util.OptionalInt;

/**
 * What the controller knows of a pool that exists.
 *
 * @param drained it gives no new addresses, so no new blocks either
 * @param reading its shape, if its texts can be understood
 */
public record PoolView(
        String uid,
        boolean beingDeleted,
        boolean drained,
        PoolReading reading,
        OptionalInt maxBlocksPerNode) {}
