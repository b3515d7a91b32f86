package io.coil.controller.pool;

import io.coil.controller.view.SeenPool;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.resource.AddressPool;
import io.kubernetes.client.openapi.models.V1Condition;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** How a pool is, as numbers and conditions. A function of what is known. */
final class PoolStatus {
    private PoolStatus() {}

    /**
     * What was counted.
     *
     * @param exhausted the next request would be told that no block is left
     * @param leaks how many blocks look like leaks
     * @param addressesUsed in the agents' reports; those of reserved blocks all count
     * @param blocksLeaving with a deletionTimestamp, or on their way back
     * @param overlaps with other pools
     */
    record Counts(
            Holders holders,
            boolean exhausted,
            long leaks,
            BigInteger addressesUsed,
            long blocksLeaving,
            BigInteger addressesLeaving,
            List<PoolConditions.Overlap> overlaps) {}

    static AddressPool.Status of(SeenPool pool, PoolSpec spec, Counts counts, Instant now) {
        BigInteger usable = BigInteger.valueOf(spec.usableBlocks());
        AddressPool.Count blocks =
                count(
                        spec.blocks(),
                        usable,
                        BigInteger.valueOf(counts.holders().blocks().used()),
                        BigInteger.valueOf(counts.blocksLeaving()));
        AddressPool.Count addresses =
                count(
                        spec.addresses(),
                        usable.shiftLeft(spec.blockSizeBits()),
                        counts.addressesUsed(),
                        counts.addressesLeaving());
        List<V1Condition> conditions = new ArrayList<>();
        conditions.add(PoolConditions.ready(pool));
        conditions.add(
                PoolConditions.exhausted(
                        counts.exhausted(), counts.holders().blocks().sentence(), counts.leaks()));
        conditions.add(PoolConditions.overlapping(counts.overlaps()));
        PoolConditions.deleting(pool, counts.holders()).ifPresent(conditions::add);
        return new AddressPool.Status(
                blocks,
                addresses,
                PoolConditions.since(conditions, pool.status(), pool.generation(), now),
                pool.generation());
    }

    /** A pool whose texts nobody can read. */
    static AddressPool.Status unreadable(SeenPool pool, String why, Holders holders, Instant now) {
        List<V1Condition> conditions = new ArrayList<>();
        conditions.add(
                pool.beingDeleted() ? PoolConditions.ready(pool) : PoolConditions.invalid(why));
        PoolConditions.deleting(pool, holders).ifPresent(conditions::add);
        return new AddressPool.Status(
                null,
                null,
                PoolConditions.since(conditions, pool.status(), pool.generation(), now),
                pool.generation());
    }

    /** Whether they say the same; since when does not count. */
    static boolean same(AddressPool.@Nullable Status a, AddressPool.Status b) {
        return a != null
                && Objects.equals(a.blocks(), b.blocks())
                && Objects.equals(a.addresses(), b.addresses())
                && Objects.equals(a.observedGeneration(), b.observedGeneration())
                && PoolConditions.same(a, b);
    }

    /** {@code usable}: of the total, what an index can name. */
    private static AddressPool.Count count(
            BigInteger total, BigInteger usable, BigInteger used, BigInteger leaving) {
        BigInteger free = usable.subtract(used).max(BigInteger.ZERO);
        return new AddressPool.Count(
                total.toString(), used.toString(), free.toString(), leaving.toString());
    }
}
