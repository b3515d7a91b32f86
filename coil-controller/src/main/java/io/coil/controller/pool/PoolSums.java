package io.coil.controller.pool;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenUsage;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the agents report of the blocks, by pool. Each block's part in the sum of its pool is kept,
 * so that a change costs what changed, not a look at all blocks. One task uses it.
 */
final class PoolSums {
    private final ClusterView view;
    private final Map<String, Part> parts = new HashMap<>(); // by block
    private final Map<String, Sum> byPool = new HashMap<>();

    PoolSums(ClusterView view) {
        this.view = view;
    }

    /**
     * What one block adds.
     *
     * @param pods null: its node has not reported it
     * @param used addresses
     */
    private record Part(
            String pool,
            @Nullable String node,
            @Nullable Long pods,
            BigInteger used,
            boolean leaving,
            boolean leak) {}

    /** Of the blocks of one pool. */
    static final class Sum {
        private static final Sum NOTHING = new Sum();

        private int blocks;
        private long leaving;
        private long leaks;
        private BigInteger used = BigInteger.ZERO;
        private BigInteger leavingAddresses = BigInteger.ZERO;
        private final Map<String, Share> nodes = new HashMap<>();

        /** How many pods use blocks of the pool, by those nodes that report all they hold. */
        Map<String, Long> pods() {
            Map<String, Long> known = new TreeMap<>();
            nodes.forEach(
                    (node, share) -> {
                        if (share.unreported() == 0) {
                            known.put(node, share.pods());
                        }
                    });
            return known;
        }

        BigInteger used() {
            return used;
        }

        long leaving() {
            return leaving;
        }

        BigInteger leavingAddresses() {
            return leavingAddresses;
        }

        long leaks() {
            return leaks;
        }

        private void add(Part part, int sign) {
            BigInteger addresses = sign > 0 ? part.used() : part.used().negate();
            blocks += sign;
            used = used.add(addresses);
            if (part.leaving()) {
                leaving += sign;
                leavingAddresses = leavingAddresses.add(addresses);
            }
            if (part.leak()) {
                leaks += sign;
            }
            if (part.node() != null) {
                Share share =
                        nodes.getOrDefault(part.node(), Share.NOTHING).with(part.pods(), sign);
                if (share.equals(Share.NOTHING)) {
                    nodes.remove(part.node());
                } else {
                    nodes.put(part.node(), share);
                }
            }
        }
    }

    /** Of one node's blocks of one pool: how many it has reported, how many not, and their pods. */
    private record Share(int reported, int unreported, long pods) {
        static final Share NOTHING = new Share(0, 0, 0);

        Share with(@Nullable Long more, int sign) {
            return more == null
                    ? new Share(reported, unreported + sign, pods)
                    : new Share(reported + sign, unreported, pods + sign * more);
        }
    }

    Sum sum(String pool) {
        return byPool.getOrDefault(pool, Sum.NOTHING);
    }

    /**
     * Looks at one block, there or gone.
     *
     * @return the pools whose sums are different now
     */
    Set<String> look(String name) {
        SeenBlock block = view.block(name);
        Part now = block == null || block.pool() == null ? null : part(block, block.pool());
        Part old = now == null ? parts.remove(name) : parts.put(name, now);
        Set<String> changed = new TreeSet<>();
        if (now == null ? old != null : !now.equals(old)) {
            add(old, -1, changed);
            add(now, 1, changed);
        }
        return changed;
    }

    private void add(@Nullable Part part, int sign, Set<String> changed) {
        if (part == null) {
            return;
        }
        Sum sum = byPool.computeIfAbsent(part.pool(), p -> new Sum());
        sum.add(part, sign);
        if (sum.blocks == 0) {
            byPool.remove(part.pool());
        }
        changed.add(part.pool());
    }

    private Part part(SeenBlock block, String pool) {
        String node = block.node();
        SeenUsage usage = node == null ? null : view.usage(node);
        SeenUsage.Used reported = usage == null ? null : usage.blocks().get(block.name());
        if (reported != null && !block.uid().equals(reported.uid())) {
            reported = null; // of an earlier block of that name
        }
        BigInteger used = reported == null ? BigInteger.ZERO : BigInteger.valueOf(reported.used());
        if (block.reserved() && block.range() != null) {
            used = block.range().size();
        }
        // what is reserved is nobody's, as long as its node says anything of it
        boolean counts = reported == null || !block.reserved();
        return new Part(
                pool,
                counts ? node : null,
                reported == null ? null : reported.used(),
                used,
                block.beingDeleted() || (reported != null && reported.leaving()),
                LeakCandidates.isOne(view, block));
    }
}
