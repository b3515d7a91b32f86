package io.coil.core.pool;

import io.coil.core.net.Cidr;
import io.coil.core.net.InvalidAddressException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * That the ranges of a pool meet nothing else: not each other, no other pool, and no block that is
 * left of another pool. Whatever of the others can be read counts, even if the rest cannot.
 */
final class OverlapRules {
    private OverlapRules() {}

    private record Placed(int entry, String field, Cidr range) {}

    /** Judges the entries from that number on; those before are only what others may meet. */
    static void judge(
            PoolText pool,
            int from,
            Collection<PoolText> pools,
            Collection<PoolRules.ExistingBlock> blocks,
            List<Violation> violations) {
        List<Placed> own = ranges(pool);
        for (int i = 0; i < own.size(); i++) {
            Placed judged = own.get(i);
            if (judged.entry() < from) {
                continue;
            }
            for (Placed earlier : own.subList(0, i)) {
                if (earlier.range().overlaps(judged.range())) {
                    violations.add(
                            new Violation(
                                    judged.field(),
                                    "%s overlaps %s of %s of the same pool"
                                            .formatted(
                                                    judged.range(),
                                                    earlier.range(),
                                                    earlier.field())));
                }
            }
            Set<String> named = withPools(pool.name(), judged, pools, violations);
            withBlocks(pool.name(), judged, named, blocks, violations);
        }
    }

    /** The pools that the range meets, each with a violation. */
    private static Set<String> withPools(
            String name, Placed judged, Collection<PoolText> pools, List<Violation> violations) {
        Set<String> named = new HashSet<>();
        for (PoolText other : pools) {
            if (other.name().equals(name)) {
                continue;
            }
            for (Placed theirs : ranges(other)) {
                if (theirs.range().overlaps(judged.range()) && named.add(other.name())) {
                    violations.add(
                            new Violation(
                                    judged.field(),
                                    "%s overlaps %s of the pool %s"
                                            .formatted(
                                                    judged.range(), theirs.range(), other.name())));
                }
            }
        }
        return named;
    }

    /** Blocks of pools that exist and were named already say nothing new. */
    private static void withBlocks(
            String name,
            Placed judged,
            Set<String> named,
            Collection<PoolRules.ExistingBlock> blocks,
            List<Violation> violations) {
        PoolRules.ExistingBlock first = null;
        int met = 0;
        for (PoolRules.ExistingBlock block : blocks) {
            if (!block.pool().equals(name)
                    && !named.contains(block.pool())
                    && block.range().ranges().stream().anyMatch(judged.range()::overlaps)) {
                first = first == null ? block : first;
                met++;
            }
        }
        if (first != null) {
            violations.add(
                    new Violation(
                            judged.field(),
                            "%s overlaps the existing block %s (%s) of the pool %s%s"
                                    .formatted(
                                            judged.range(),
                                            first.name(),
                                            first.range(),
                                            first.pool(),
                                            met == 1 ? "" : " and " + (met - 1) + " more")));
        }
    }

    private static List<Placed> ranges(PoolText pool) {
        List<Placed> ranges = new ArrayList<>();
        for (int i = 0; i < pool.subnets().size(); i++) {
            PoolText.SubnetText entry = pool.subnets().get(i);
            String path = SubnetReading.path(i);
            for (String field : List.of(".ipv4", ".ipv6")) {
                int number = i;
                readable(field.equals(".ipv4") ? entry.ipv4() : entry.ipv6())
                        .ifPresent(range -> ranges.add(new Placed(number, path + field, range)));
            }
        }
        return ranges;
    }

    private static Optional<Cidr> readable(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Cidr.parse(text));
        } catch (InvalidAddressException e) {
            return Optional.empty(); // said elsewhere, if this pool is the one that is judged
        }
    }
}
