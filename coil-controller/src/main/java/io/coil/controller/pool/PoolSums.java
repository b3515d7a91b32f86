package io.coil.controller.pool;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenUsage;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the agents report of the blocks, by pool: one look at all of them. */
final class PoolSums {
    private final Map<String, Sum> byPool = new HashMap<>();

    /** Of the blocks of one pool. */
    static final class Sum {
        BigInteger used = BigInteger.ZERO;
        long leaving;
        BigInteger leavingAddresses = BigInteger.ZERO;
        long leaks;
        private final Map<String, Long> pods = new TreeMap<>();
        private final Set<String> unreported = new HashSet<>();

        /** How many pods use blocks of the pool, by those nodes that report all they hold. */
        Map<String, Long> pods() {
            Map<String, Long> known = new TreeMap<>(pods);
            known.keySet().removeAll(unreported);
            return known;
        }
    }

    static PoolSums of(ClusterView view) {
        PoolSums sums = new PoolSums();
        for (SeenBlock block : view.blocks()) {
            if (block.pool() != null) {
                sums.add(sums.byPool.computeIfAbsent(block.pool(), p -> new Sum()), block, view);
            }
        }
        return sums;
    }

    Sum sum(String pool) {
        return byPool.getOrDefault(pool, new Sum());
    }

    private void add(Sum sum, SeenBlock block, ClusterView view) {
        String node = block.node();
        SeenUsage usage = node == null ? null : view.usage(node);
        SeenUsage.Used reported = usage == null ? null : usage.blocks().get(block.name());
        if (reported != null && !block.uid().equals(reported.uid())) {
            reported = null; // of an earlier block of that name
        }
        BigInteger used = reported == null ? BigInteger.ZERO : BigInteger.valueOf(reported.used());
        if (node != null && reported != null && !block.reserved()) {
            sum.pods.merge(node, reported.used(), Long::sum);
        } else if (node != null && reported == null) {
            sum.unreported.add(node);
        }
        if (block.reserved() && block.range() != null) {
            used = block.range().size();
        }
        sum.used = sum.used.add(used);
        if (block.beingDeleted() || (reported != null && reported.leaving())) {
            sum.leaving++;
            sum.leavingAddresses = sum.leavingAddresses.add(used);
        }
        if (LeakCandidates.isOne(view, block)) {
            sum.leaks++;
        }
    }
}
