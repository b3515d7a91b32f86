package io.coil.admin.snapshot;

import io.coil.core.garbage.ForcedRelease;
import io.coil.core.net.Address;
import io.coil.core.net.Family;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Blocks joined with the reports of their nodes' agents. */
final class BlockViews {
    private final Observed seen;
    private final Rules rules;
    private final Map<String, PoolReadings.Read> pools;
    private final Map<String, Observed.Node> nodes;
    private final Map<String, NodeBlockUsage> usages;
    private final Set<Address> podAddresses;
    private @Nullable Map<String, Long> podsByBlock;

    BlockViews(
            Observed seen,
            Rules rules,
            Map<String, PoolReadings.Read> pools,
            Map<String, Observed.Node> nodes,
            Map<String, NodeBlockUsage> usages,
            Set<Address> podAddresses) {
        this.seen = seen;
        this.rules = rules;
        this.pools = pools;
        this.nodes = nodes;
        this.usages = usages;
        this.podAddresses = podAddresses;
    }

    List<BlockView> all() {
        Map<String, NodeBlockUsage.Block> reports = reportsByUid();
        List<BlockView> views = new ArrayList<>(seen.blocks().size());
        for (AddressBlock block : seen.blocks()) {
            views.add(view(block, reports.get(Meta.uid(block.metadata()))));
        }
        return views;
    }

    /** A report counts for the very block that it was made of, not for a later one of its name. */
    private Map<String, NodeBlockUsage.Block> reportsByUid() {
        Map<String, NodeBlockUsage.Block> reports = new HashMap<>();
        for (NodeBlockUsage usage : usages.values()) {
            if (usage.report() != null && usage.report().blocks() != null) {
                for (NodeBlockUsage.Block block : usage.report().blocks()) {
                    if (block.uid() != null) {
                        reports.put(block.uid(), block);
                    }
                }
            }
        }
        return reports;
    }

    private BlockView view(AddressBlock block, NodeBlockUsage.@Nullable Block report) {
        String name = Meta.name(block.metadata());
        String pool = block.pool() == null ? "" : block.pool();
        String node = block.node();
        PoolReadings.Read read = pools.get(pool);
        BlockRange range = range(block);
        BigInteger capacity = range == null ? BigInteger.ZERO : range.size();
        long used = report == null ? usedByPods(name) : report.used();
        Instant deleting = Times.instant(block.metadata().getDeletionTimestamp());
        Instant emptySince = report == null || used > 0 ? null : Times.instant(report.emptySince());
        CollectionMode mode = mode(read, node);
        return new BlockView(
                name,
                Meta.uid(block.metadata()),
                pool,
                node,
                block.index(),
                range,
                range == null
                        ? texts(block)
                        : range.ranges().stream().map(Object::toString).toList(),
                capacity,
                used,
                report == null ? BlockView.UsedFrom.PODS : BlockView.UsedFrom.REPORT,
                report == null ? null : report.bitmap(),
                emptySince,
                state(block, report, used, emptySince, deleting, capacity),
                Times.instant(block.metadata().getCreationTimestamp()),
                block.request(),
                deleting,
                drain(block),
                SwitchedBy.of(Meta.annotations(block.metadata()), Names.DRAIN, Names.DRAIN_BY)
                        .orElse(null),
                forced(block),
                mode);
    }

    private BlockState state(
            AddressBlock block,
            NodeBlockUsage.@Nullable Block report,
            long used,
            @Nullable Instant emptySince,
            @Nullable Instant deleting,
            BigInteger capacity) {
        if (block.reserved()) {
            return BlockState.RESERVED;
        }
        if (block.node() == null) {
            return BlockState.UNHELD;
        }
        Observed.Node node = nodes.get(block.node());
        if (node == null) {
            return BlockState.ORPHAN;
        }
        if (!node.ready()) {
            return BlockState.DEAD;
        }
        String reported = report == null ? "" : report.state();
        if (deleting != null
                || drain(block)
                || reported.equals("returning")
                || reported.equals("drained")) {
            return used > 0 ? BlockState.DRAINING : BlockState.RETURNING;
        }
        if (used > 0) {
            return BlockState.SERVING;
        }
        if (report == null) {
            return BlockState.UNREPORTED;
        }
        if (reported.equals("spare")) {
            return BlockState.SPARE;
        }
        boolean single = capacity.equals(BigInteger.ONE);
        boolean over =
                emptySince != null
                        && (single || emptySince.plus(rules.linger()).isBefore(seen.now()));
        return over ? BlockState.SURPLUS : BlockState.EMPTY;
    }

    private static boolean drain(AddressBlock block) {
        return PoolSwitches.parse(Meta.annotations(block.metadata())).switches().drain();
    }

    private static @Nullable String forced(AddressBlock block) {
        String value = Meta.annotation(block.metadata(), Names.FORCE);
        return value == null
                ? null
                : ForcedRelease.Force.parse(value).map(ForcedRelease.Force::reason).orElse(null);
    }

    private CollectionMode mode(PoolReadings.@Nullable Read pool, @Nullable String node) {
        NodeBlockUsage usage = node == null ? null : usages.get(node);
        return CollectionMode.strictest(
                pool == null ? CollectionMode.ON : pool.mode(rules),
                Agents.mode(
                        rules,
                        node == null ? null : nodes.get(node),
                        usage == null ? null : usage.report()));
    }

    /** Counted once for all blocks, and only if some block has no report. */
    private long usedByPods(String block) {
        Map<String, Long> counts = podsByBlock;
        if (counts == null) {
            counts = new HashMap<>();
            for (Address address : podAddresses) {
                for (Map.Entry<String, PoolReadings.Read> pool : pools.entrySet()) {
                    if (pool.getValue().spec() == null) {
                        continue;
                    }
                    OptionalInt index = pool.getValue().spec().indexOf(address);
                    if (index.isPresent() && counted(pool.getValue(), address)) {
                        counts.merge(pool.getKey() + "-" + index.getAsInt(), 1L, Long::sum);
                    }
                }
            }
            podsByBlock = counts;
        }
        return counts.getOrDefault(block, 0L);
    }

    /** In a pool of both families a pod shows two addresses, and has one pair: IPv4 counts. */
    private static boolean counted(PoolReadings.Read pool, Address address) {
        return address.family() == Family.IPV4
                || pool.spec() == null
                || pool.spec().subnets().stream().allMatch(s -> s.ipv4() == null);
    }

    private static @Nullable BlockRange range(AddressBlock block) {
        try {
            return BlockRange.parse(block.ipv4(), block.ipv6());
        } catch (InvalidAddressException e) {
            return null;
        }
    }

    private static List<String> texts(AddressBlock block) {
        List<String> texts = new ArrayList<>(2);
        if (block.ipv4() != null) {
            texts.add(block.ipv4());
        }
        if (block.ipv6() != null) {
            texts.add(block.ipv6());
        }
        return texts;
    }
}
