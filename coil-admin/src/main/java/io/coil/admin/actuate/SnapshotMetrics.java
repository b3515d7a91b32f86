package io.coil.admin.actuate;

import io.coil.admin.snapshot.AgentState;
import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Current;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.RequestView;
import io.coil.admin.snapshot.Share;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.SnapshotKeeper;
import io.coil.core.garbage.Rule;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The image as metrics, made when they are scraped: so they say what the pages say, and the series
 * of what is gone are gone. No names of pods.
 */
final class SnapshotMetrics implements MultiCollector {
    private final SnapshotKeeper keeper;

    SnapshotMetrics(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public MetricSnapshots collect() {
        Optional<Current> current = keeper.current();
        if (current.isEmpty()) {
            return MetricSnapshots.of();
        }
        Snapshot image = current.get().snapshot();
        List<GaugeSnapshot> gauges = new ArrayList<>();
        gauges.add(
                gauge(
                        "coil_admin_snapshot_age_seconds",
                        "Time since the Kubernetes API was last seen",
                        List.of(
                                new GaugeDataPointSnapshot(
                                        current.get().age().toMillis() / 1000.0,
                                        Labels.EMPTY,
                                        null))));
        gauges.addAll(pools(image));
        gauges.addAll(nodes(image));
        gauges.add(agents(image));
        gauges.add(requests(image));
        gauges.add(findings(image));
        return MetricSnapshots.of(gauges.toArray(GaugeSnapshot[]::new));
    }

    private static List<GaugeSnapshot> pools(Snapshot image) {
        List<GaugeDataPointSnapshot> blocks = new ArrayList<>();
        List<GaugeDataPointSnapshot> states = new ArrayList<>();
        List<GaugeDataPointSnapshot> addresses = new ArrayList<>();
        List<GaugeDataPointSnapshot> candidates = new ArrayList<>();
        List<GaugeDataPointSnapshot> oldest = new ArrayList<>();
        for (PoolView pool : image.pools().values()) {
            String name = pool.name();
            blocks.add(point(pool.blocksTotal(), "pool", name, "state", "total"));
            blocks.add(point(pool.blocks().size(), "pool", name, "state", "granted"));
            blocks.add(point(pool.blocksFree(), "pool", name, "state", "free"));
            addresses.add(point(pool.addressesTotal(), "pool", name, "state", "total"));
            addresses.add(point(pool.total().used(), "pool", name, "state", "used"));
            addresses.add(point(pool.addressesFree(), "pool", name, "state", "free"));
            candidates.add(point(pool.total().candidates(), "pool", name));
            oldest.add(point(oldest(pool, image.built()), "pool", name));
            for (BlockState state : BlockState.values()) {
                states.add(point(pool.count(state), "pool", name, "state", state.label()));
            }
        }
        return List.of(
                gauge("coil_admin_pool_blocks", "Blocks of a pool", blocks),
                gauge("coil_admin_pool_block_states", "Granted blocks by what they do", states),
                gauge("coil_admin_pool_addresses", "Addresses of a pool", addresses),
                gauge(
                        "coil_admin_pool_leak_candidates",
                        "Blocks that look as if nobody uses them and nobody will give them back",
                        candidates),
                gauge(
                        "coil_admin_pool_oldest_candidate_seconds",
                        "How long the oldest of those has been empty, as far as it is known",
                        oldest));
    }

    private static double oldest(PoolView pool, Instant now) {
        return pool.blocks().stream()
                .filter(block -> block.state().candidate())
                .map(BlockView::emptySince)
                .filter(Objects::nonNull)
                .mapToDouble(since -> Duration.between(since, now).toMillis() / 1000.0)
                .max()
                .orElse(0);
    }

    private static GaugeSnapshot agents(Snapshot image) {
        Map<AgentState, Integer> counts = new EnumMap<>(AgentState.class);
        image.nodes().values().forEach(node -> counts.merge(node.agent(), 1, Integer::sum));
        List<GaugeDataPointSnapshot> points = new ArrayList<>();
        for (AgentState state : AgentState.values()) {
            points.add(point(counts.getOrDefault(state, 0), "agent", label(state)));
        }
        return gauge("coil_admin_nodes", "Nodes by what is known of their agents", points);
    }

    private static GaugeSnapshot requests(Snapshot image) {
        Map<RequestView.State, Integer> counts = new EnumMap<>(RequestView.State.class);
        image.requests().forEach(request -> counts.merge(request.state(), 1, Integer::sum));
        List<GaugeDataPointSnapshot> points = new ArrayList<>();
        for (RequestView.State state : RequestView.State.values()) {
            points.add(point(counts.getOrDefault(state, 0), "state", label(state)));
        }
        return gauge("coil_admin_requests", "Requests of nodes for blocks", points);
    }

    private static String label(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static List<GaugeSnapshot> nodes(Snapshot image) {
        List<GaugeDataPointSnapshot> blocks = new ArrayList<>();
        List<GaugeDataPointSnapshot> used = new ArrayList<>();
        List<GaugeDataPointSnapshot> capacity = new ArrayList<>();
        for (NodeView node : image.nodes().values()) {
            for (Map.Entry<String, Share> held : node.pools().entrySet()) {
                String[] labels = {"node", node.name(), "pool", held.getKey()};
                blocks.add(point(held.getValue().blocks(), labels));
                used.add(point(held.getValue().used(), labels));
                capacity.add(point(held.getValue().capacity(), labels));
            }
        }
        return List.of(
                gauge("coil_admin_node_blocks", "Blocks of a pool that a node holds", blocks),
                gauge("coil_admin_node_addresses_used", "Addresses in use in them", used),
                gauge("coil_admin_node_addresses_capacity", "Addresses in them", capacity));
    }

    private static GaugeSnapshot findings(Snapshot image) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Rule rule : Rule.values()) {
            counts.put(rule.text(), 0);
        }
        image.findings().forEach(f -> counts.merge(f.rule(), 1, Integer::sum));
        List<GaugeDataPointSnapshot> points = new ArrayList<>();
        counts.forEach((rule, count) -> points.add(point(count, "rule", rule)));
        return gauge("coil_admin_findings", "What checks found", points);
    }

    private static GaugeSnapshot gauge(
            String name, String help, List<GaugeDataPointSnapshot> points) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        points.forEach(gauge::dataPoint);
        return gauge.build();
    }

    private static GaugeDataPointSnapshot point(Number value, String... labels) {
        return new GaugeDataPointSnapshot(value.doubleValue(), Labels.of(labels), null);
    }
}
