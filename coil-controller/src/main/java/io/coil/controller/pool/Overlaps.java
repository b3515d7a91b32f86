package io.coil.controller.pool;

import io.coil.controller.view.SeenPool;
import io.coil.core.net.Cidr;
import io.coil.core.pool.PoolSpec;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Pools that share addresses, though admission refuses them: it may have been away. */
final class Overlaps {
    private Overlaps() {}

    /** The pools that overlap this one, by name. */
    static List<PoolConditions.Overlap> of(PoolSpec pool, Collection<SeenPool> pools) {
        return pools.stream()
                .filter(p -> !p.name().equals(pool.name()))
                .sorted(Comparator.comparing(SeenPool::name))
                .flatMap(p -> p.spec() == null ? Stream.empty() : first(pool, p.spec()).stream())
                .toList();
    }

    /** Where two pools meet first. */
    private static Optional<PoolConditions.Overlap> first(PoolSpec pool, PoolSpec other) {
        return ranges(pool)
                .flatMap(
                        ours ->
                                ranges(other)
                                        .filter(ours::overlaps)
                                        .map(
                                                theirs ->
                                                        new PoolConditions.Overlap(
                                                                other.name(),
                                                                ours.toString(),
                                                                theirs.toString())))
                .findFirst();
    }

    private static Stream<Cidr> ranges(PoolSpec pool) {
        return pool.subnets().stream().flatMap(s -> s.ranges().stream());
    }
}
