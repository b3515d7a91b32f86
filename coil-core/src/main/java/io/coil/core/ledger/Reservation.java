package io.coil.core.ledger;

import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;

/** An index that a request in flight has been promised and that no block may stand for yet. */
public record Reservation(
        String requestUid, String pool, int index, BlockRange range, String node) {

    public String blockName() {
        return PoolSpec.blockName(pool, index);
    }
}
