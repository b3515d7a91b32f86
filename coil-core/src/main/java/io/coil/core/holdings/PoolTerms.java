package io.coil.core.holdings;

import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What holds for a pool at the moment, as far as a node is concerned.
 *
 * @param uid null: there is no such pool
 * @param ending the pool is absent, being deleted or drained: no new address from it, no spares, no
 *     linger
 * @param whyNot for a human: why no new address is given; null if one may be
 * @param spareBlocks empty blocks kept on purpose
 * @param reuseDelay a freed address is not given again before
 * @param collection the strictest mode of all that applies here
 */
public record PoolTerms(
        @Nullable String uid,
        boolean ending,
        @Nullable String whyNot,
        int spareBlocks,
        Duration reuseDelay,
        CollectionMode collection) {

    int spares() {
        return ending ? 0 : spareBlocks;
    }
}
