package io.coil.core.holdings;

import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What holds for a pool at the moment, as far as a node is concerned.
 *
 * @param uid null: there is no such pool
 * @param state whether the pool still serves
 * @param whyNot for a human: why no new address is given; null if one may be
 * @param spareBlocks empty blocks kept on purpose
 * @param reuseDelay a freed address is not given again before
 * @param collection the strictest mode of all that applies here
 */
public record PoolTerms(
        @Nullable String uid,
        State state,
        @Nullable String whyNot,
        int spareBlocks,
        Duration reuseDelay,
        CollectionMode collection) {

    /** What becomes of a pool. */
    public enum State {
        SERVING,
        /** An operator wants it emptied: no new address, no spares, no linger. */
        DRAINED,
        /** Absent or being deleted: the same, and its empty blocks go under every mode. */
        GONE
    }

    boolean ending() {
        return state != State.SERVING;
    }

    int spares() {
        return ending() ? 0 : spareBlocks;
    }
}
