package io.coil.admin.snapshot;

import static java.util.stream.Collectors.groupingBy;

import io.coil.core.net.Address;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.NodeBlockUsage;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes an image of what was seen. A pure function: the same sight gives the same image. */
public final class SnapshotBuilder {
    private final Observed seen;
    private final Rules rules;

    private SnapshotBuilder(Observed seen, Rules rules) {
        this.seen = seen;
        this.rules = rules;
    }

    public static Snapshot build(Observed seen, Rules rules) {
        return new SnapshotBuilder(seen, rules).build();
    }

    private Snapshot build() {
        Map<String, PoolReadings.Read> pools = new TreeMap<>();
        for (AddressPool pool : seen.pools()) {
            pools.put(Meta.name(pool.metadata()), PoolReadings.read(pool));
        }
        Map<String, Observed.Node> nodes = new TreeMap<>();
        seen.nodes().forEach(node -> nodes.put(node.name(), node));
        Map<String, NodeBlockUsage> usages = new HashMap<>();
        seen.usages().forEach(usage -> usages.put(Meta.name(usage.metadata()), usage));
        Map<Address, Observed.Pod> pods = new HashMap<>();
        for (Observed.Pod pod : seen.pods()) {
            pod.addresses().forEach(address -> pods.put(address, pod));
        }

        List<BlockView> blocks =
                new BlockViews(seen, rules, pools, nodes, usages, pods.keySet()).all();
        Map<String, RunView> runs = RunViews.of(seen.runs(), seen.usages());
        Map<String, List<BlockView>> byNode =
                blocks.stream()
                        .filter(b -> b.node() != null)
                        .collect(groupingBy(SnapshotBuilder::holder));
        Map<String, List<BlockView>> byPool = blocks.stream().collect(groupingBy(BlockView::pool));

        Agents agents = new Agents(seen, rules, runs.values());
        TreeSet<String> names = new TreeSet<>(nodes.keySet());
        names.addAll(byNode.keySet());
        List<NodeView> nodeViews = new ArrayList<>(names.size());
        for (String name : names) {
            nodeViews.add(
                    agents.view(
                            name,
                            nodes.get(name),
                            usages.get(name),
                            byNode.getOrDefault(name, List.of())));
        }
        Map<String, List<String>> namespaces = namespacesByPool();
        List<PoolView> poolViews = new ArrayList<>(pools.size());
        pools.forEach(
                (name, read) ->
                        poolViews.add(
                                read.view(
                                        rules,
                                        byPool.getOrDefault(name, List.of()),
                                        namespaces.getOrDefault(name, List.of()))));
        List<RequestView> requests = RequestViews.of(seen.requests());

        List<Finding> findings =
                new Findings(seen.now(), rules, nodeViews, poolViews, blocks, requests).all();
        return new Snapshot(
                seen.now(),
                totals(poolViews, nodeViews, blocks, requests),
                withFindings(poolViews, findings),
                withFindingsOfNodes(nodeViews, findings),
                byName(blocks),
                requests,
                runs,
                Collections.unmodifiableMap(pods),
                findings);
    }

    private static String holder(BlockView block) {
        return String.valueOf(block.node());
    }

    private Map<String, List<String>> namespacesByPool() {
        Map<String, List<String>> byPool = new HashMap<>();
        new TreeMap<>(seen.namespaces())
                .forEach(
                        (namespace, pool) ->
                                byPool.computeIfAbsent(pool, p -> new ArrayList<>())
                                        .add(namespace));
        return byPool;
    }

    private static Map<String, PoolView> withFindings(
            List<PoolView> pools, List<Finding> findings) {
        Map<String, List<Finding>> byPool =
                findings.stream()
                        .filter(f -> f.pool() != null)
                        .collect(groupingBy(f -> String.valueOf(f.pool())));
        Map<String, PoolView> views = new LinkedHashMap<>();
        for (PoolView pool : pools) {
            views.put(pool.name(), pool.with(byPool.getOrDefault(pool.name(), List.of())));
        }
        return Collections.unmodifiableMap(views);
    }

    private static Map<String, NodeView> withFindingsOfNodes(
            List<NodeView> nodes, List<Finding> findings) {
        Map<String, List<Finding>> byNode =
                findings.stream()
                        .filter(f -> f.node() != null)
                        .collect(groupingBy(f -> String.valueOf(f.node())));
        Map<String, NodeView> views = new LinkedHashMap<>();
        for (NodeView node : nodes) {
            views.put(node.name(), node.with(byNode.getOrDefault(node.name(), List.of())));
        }
        return Collections.unmodifiableMap(views);
    }

    private static Map<String, BlockView> byName(List<BlockView> blocks) {
        Map<String, BlockView> views = new LinkedHashMap<>();
        blocks.stream()
                .sorted(Comparator.comparing(BlockView::pool).thenComparingInt(BlockView::index))
                .forEach(block -> views.put(block.name(), block));
        return Collections.unmodifiableMap(views);
    }

    private static Totals totals(
            List<PoolView> pools,
            List<NodeView> nodes,
            List<BlockView> blocks,
            List<RequestView> requests) {
        BigInteger blocksTotal = BigInteger.ZERO;
        BigInteger addressesTotal = BigInteger.ZERO;
        for (PoolView pool : pools) {
            blocksTotal = blocksTotal.add(pool.blocksTotal());
            addressesTotal = addressesTotal.add(pool.addressesTotal());
        }
        Share share = Share.NONE;
        int reserved = 0;
        for (BlockView block : blocks) {
            share = share.plus(block);
            reserved += block.state() == BlockState.RESERVED ? 1 : 0;
        }
        return new Totals(
                blocksTotal,
                share.blocks(),
                addressesTotal,
                share.used(),
                share.empty(),
                reserved,
                share.candidates(),
                (int) nodes.stream().filter(NodeView::exists).count(),
                count(nodes, AgentState.REPORTING),
                count(nodes, AgentState.SILENT),
                count(nodes, AgentState.NODE_NOT_READY),
                (int) requests.stream().filter(r -> r.state() == RequestView.State.OPEN).count());
    }

    private static int count(List<NodeView> nodes, AgentState state) {
        return (int) nodes.stream().filter(n -> n.agent() == state).count();
    }
}
