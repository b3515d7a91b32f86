package io.coil.core.garbage;

import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One pass over everything that is known of a cluster: how full pools and nodes are, and what looks
 * like garbage. What it finds are candidates: whoever collects looks again, live.
 *
 * <p>Ages are those of the agents' reports; a block of which no report tells how long it has been
 * empty is no surplus block.
 */
public final class UsageScan {
    private final Map<String, PoolUse> pools;
    private final Map<String, NodeUse> nodes;
    private final Duration linger;
    private final Map<String, Count> perPool = new HashMap<>();
    private final Map<String, Count> perNode = new HashMap<>();
    private final Map<NodePool, List<BlockUse>> empty = new HashMap<>();
    private final Map<String, BlockUse> byName = new HashMap<>();
    private final Overlaps overlaps = new Overlaps();
    private final Findings.Collector findings = Findings.collector();

    /**
     * A pool that exists.
     *
     * @param spec null: its texts cannot be understood
     * @param leaving it is being deleted or drained: no spares and no linger
     */
    public record PoolUse(String name, @Nullable PoolSpec spec, int spareBlocks, boolean leaving) {}

    /** A node that exists. */
    public record NodeUse(String name, boolean ready, boolean silent) {}

    /**
     * A block that exists, with what its node's agent reported of it.
     *
     * @param range null: it cannot be read
     * @param used addresses in use
     * @param emptyFor null: not empty, or nobody knows since when
     */
    public record BlockUse(
            String name,
            @Nullable String uid,
            String pool,
            int index,
            @Nullable String node,
            @Nullable BlockRange range,
            long used,
            @Nullable Duration emptyFor,
            boolean reserved,
            boolean beingDeleted) {}

    /**
     * How full a pool or a node is.
     *
     * @param capacity addresses in its blocks
     * @param used addresses in use
     * @param findings what looks like garbage or wants a look
     */
    public record Tally(long blocks, long emptyBlocks, long capacity, long used, long findings) {}

    /** Counts are complete, items are capped. */
    public record Result(
            Map<String, Tally> perPool, Map<String, Tally> perNode, Findings findings) {}

    private record NodePool(@Nullable String node, String pool) {}

    private static final class Count {
        long blocks;
        long emptyBlocks;
        long capacity;
        long used;
        long findings;

        void add(BlockUse block) {
            BlockRange range = block.range();
            blocks++;
            emptyBlocks += block.used() == 0 ? 1 : 0;
            capacity += range == null ? 0 : Math.min(range.capacity(), 1L << 40);
            used += block.used();
        }

        Tally tally() {
            return new Tally(blocks, emptyBlocks, capacity, used, findings);
        }
    }

    private UsageScan(Iterable<PoolUse> pools, Iterable<NodeUse> nodes, Duration linger) {
        this.pools = new HashMap<>();
        this.nodes = new HashMap<>();
        this.linger = linger;
        for (PoolUse pool : pools) {
            this.pools.put(pool.name(), pool);
            count(perPool, pool.name());
        }
        for (NodeUse node : nodes) {
            this.nodes.put(node.name(), node);
            count(perNode, node.name());
        }
    }

    /**
     * @param linger how long an empty block of more than one address may stay
     */
    public static Result scan(
            Iterable<PoolUse> pools,
            Iterable<NodeUse> nodes,
            Iterable<BlockUse> blocks,
            Duration linger) {
        UsageScan scan = new UsageScan(pools, nodes, linger);
        for (BlockUse block : blocks) {
            scan.block(block);
        }
        scan.surplus();
        scan.overlapping();
        scan.silentAgents();
        return new Result(tallies(scan.perPool), tallies(scan.perNode), scan.findings.findings());
    }

    private void block(BlockUse block) {
        count(perPool, block.pool()).add(block);
        String node = block.node();
        if (node != null) {
            count(perNode, node).add(block);
        }
        BlockRange range = block.range();
        if (range != null) {
            overlaps.add(block.name(), range);
            byName.put(block.name(), block);
        }
        PoolUse pool = pools.get(block.pool());
        PoolSpec spec = pool == null ? null : pool.spec();
        if (spec != null && !isInPool(block, spec)) {
            found(Rule.OUT_OF_POOL, block, Duration.ZERO, null);
        }
        NodeUse holder = node == null ? null : nodes.get(node);
        if (holder == null) {
            if (!block.reserved()) {
                found(Rule.ORPHAN_BLOCK, block, Duration.ZERO, null);
            }
        } else if (!holder.ready()) {
            found(Rule.DEAD_NODE_BLOCK, block, Duration.ZERO, null);
        } else if (block.used() == 0 && block.emptyFor() != null && !block.reserved()) {
            empty.computeIfAbsent(new NodePool(node, block.pool()), k -> new ArrayList<>(2))
                    .add(block);
        }
    }

    /** Of a node's empty blocks of a pool those that were used last are its spares. */
    private void surplus() {
        for (Map.Entry<NodePool, List<BlockUse>> entry : empty.entrySet()) {
            PoolUse pool = pools.get(entry.getKey().pool());
            boolean leaving = pool == null || pool.leaving();
            int spares = pool == null || leaving ? 0 : pool.spareBlocks();
            List<BlockUse> blocks = entry.getValue();
            blocks.sort(Comparator.comparing(UsageScan::emptyFor).thenComparing(BlockUse::name));
            for (BlockUse block : blocks.subList(Math.min(spares, blocks.size()), blocks.size())) {
                BlockRange range = block.range();
                boolean lingers = !leaving && range != null && range.capacity() > 1;
                if (!lingers || emptyFor(block).compareTo(linger) > 0) {
                    found(Rule.SURPLUS_BLOCK, block, emptyFor(block), null);
                }
            }
        }
    }

    private void overlapping() {
        overlaps.find()
                .forEach(
                        (name, other) ->
                                found(
                                        Rule.OVERLAP,
                                        Objects.requireNonNull(byName.get(name)),
                                        Duration.ZERO,
                                        other));
    }

    private void silentAgents() {
        for (NodeUse node : nodes.values()) {
            if (node.ready() && node.silent()) {
                count(perNode, node.name()).findings++;
                if (findings.hasRoom()) {
                    findings.add(
                            new Item(
                                    Rule.SILENT_AGENT,
                                    Kind.NODE,
                                    node.name(),
                                    null,
                                    null,
                                    null,
                                    node.name(),
                                    Rule.SILENT_AGENT.summary(),
                                    Duration.ZERO,
                                    Outcome.REPORTED));
                } else {
                    findings.count(Rule.SILENT_AGENT, Outcome.REPORTED);
                }
            }
        }
    }

    private void found(Rule rule, BlockUse block, Duration age, @Nullable String other) {
        count(perPool, block.pool()).findings++;
        String node = block.node();
        if (node != null) {
            count(perNode, node).findings++;
        }
        boolean reported =
                rule.collector() == Rule.Collector.NOBODY
                        || node == null; // nobody but a person can tell whose it is
        Outcome outcome = reported ? Outcome.REPORTED : Outcome.PLANNED;
        if (!findings.hasRoom()) {
            findings.count(rule, outcome);
            return;
        }
        boolean unlabelled = node == null && rule == Rule.ORPHAN_BLOCK;
        String evidence = unlabelled ? "it has no node label" : rule.summary();
        findings.add(
                new Item(
                        rule,
                        Kind.BLOCK,
                        block.name(),
                        block.uid(),
                        block.name(),
                        block.pool(),
                        node,
                        other == null ? evidence : evidence + ": " + other,
                        age,
                        outcome));
    }

    private static boolean isInPool(BlockUse block, PoolSpec spec) {
        return spec.hasBlock(block.index())
                && (block.range() == null || spec.blockAt(block.index()).equals(block.range()));
    }

    private static Duration emptyFor(BlockUse block) {
        return Objects.requireNonNullElse(block.emptyFor(), Duration.ZERO);
    }

    private static Count count(Map<String, Count> counts, String name) {
        return counts.computeIfAbsent(name, n -> new Count());
    }

    private static Map<String, Tally> tallies(Map<String, Count> counts) {
        Map<String, Tally> tallies = HashMap.newHashMap(counts.size());
        counts.forEach((name, count) -> tallies.put(name, count.tally()));
        return tallies;
    }
}
