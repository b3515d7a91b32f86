package io.coil.admin.history;

import java.time.Instant;
import java.time.LocalDate;

/**
 * How much of a pool was in use on a day.
 *
 * @param day in UTC
 * @param blocks granted when last looked at on that day
 * @param blocksPeak most blocks granted at once, at {@code peakAt}
 * @param blocksTotal blocks that the pool could have; decimal text, exact beyond 2^63
 * @param addresses in use when last looked at
 */
public record PoolUse(
        String poolUid,
        LocalDate day,
        String pool,
        int blocks,
        int blocksPeak,
        Instant peakAt,
        String blocksTotal,
        long addresses,
        long addressesPeak) {

    /** Two looks at the same pool on the same day, the other one later. */
    PoolUse then(PoolUse later) {
        boolean higher = later.blocksPeak > blocksPeak;
        return new PoolUse(
                poolUid,
                day,
                later.pool,
                later.blocks,
                Math.max(blocksPeak, later.blocksPeak),
                higher ? later.peakAt : peakAt,
                later.blocksTotal,
                later.addresses,
                Math.max(addressesPeak, later.addressesPeak));
    }
}
