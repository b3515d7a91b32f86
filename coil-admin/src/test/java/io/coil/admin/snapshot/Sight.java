package io.coil.admin.snapshot;

import io.coil.core.net.Address;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What watches have seen, put together by hand. */
public final class Sight {
    public static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

    private final List<AddressPool> pools = new ArrayList<>();
    private final List<AddressBlock> blocks = new ArrayList<>();
    private final List<BlockRequest> requests = new ArrayList<>();
    private final List<Observed.Node> nodes = new ArrayList<>();
    private final List<NodeBlockUsage> usages = new ArrayList<>();
    private final List<GarbageCollection> runs = new ArrayList<>();
    private final List<Observed.Pod> pods = new ArrayList<>();
    private final Map<String, String> namespaces = new HashMap<>();
    private Rules rules = Rules.DEFAULT;

    public Snapshot snapshot() {
        return snapshot(NOW);
    }

    /** As it was seen at that time. */
    public Snapshot snapshot(Instant now) {
        return SnapshotBuilder.build(
                new Observed(
                        pools,
                        blocks,
                        requests,
                        nodes,
                        usages,
                        runs,
                        pods,
                        namespaces,
                        now,
                        Duration.ofHours(1)),
                rules);
    }

    public Sight mode(CollectionMode mode) {
        rules =
                new Rules(
                        mode,
                        rules.linger(),
                        rules.spareBlocks(),
                        rules.nodeGrace(),
                        rules.silentAfter());
        return this;
    }

    public Sight pool(String name, int bits, @Nullable String ipv4) {
        return pool(new V1ObjectMeta().name(name).uid("pool-" + name), bits, ipv4);
    }

    public Sight pool(V1ObjectMeta meta, int bits, @Nullable String ipv4) {
        pools.add(
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        meta,
                        new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(ipv4, null))),
                        null));
        return this;
    }

    /** Ready since yesterday, with its agent's pod. */
    public Sight node(String name) {
        return node(name, true, null).agent(name, true, NOW.minusSeconds(86_400));
    }

    /** The same with an InternalIP. */
    public Sight node(String name, String address) {
        Instant yesterday = NOW.minusSeconds(86_400);
        nodes.add(
                new Observed.Node(
                        name,
                        "node-" + name,
                        yesterday,
                        true,
                        yesterday,
                        List.of(address),
                        false,
                        null,
                        null));
        return agent(name, true, yesterday);
    }

    public Sight node(String name, boolean ready, @Nullable CollectionMode mode) {
        Instant yesterday = NOW.minusSeconds(86_400);
        nodes.add(
                new Observed.Node(
                        name,
                        "node-" + name,
                        yesterday,
                        ready,
                        yesterday,
                        List.of(),
                        false,
                        mode,
                        null));
        return this;
    }

    public Sight agent(String node, boolean ready, Instant since) {
        pods.add(
                new Observed.Pod(
                        "kube-system",
                        "agent-" + node,
                        "uid-agent-" + node,
                        node,
                        "Running",
                        List.of(),
                        since,
                        true,
                        ready,
                        since));
        return this;
    }

    public Sight pod(String name, String node, String address) {
        return pod(name, node, address, NOW);
    }

    public Sight pod(String name, String node, String address, Instant started) {
        pods.add(
                new Observed.Pod(
                        "shop",
                        name,
                        "uid-" + name,
                        node,
                        "Running",
                        List.of(Address.parse(address)),
                        started,
                        false,
                        true,
                        started));
        return this;
    }

    public Sight block(String pool, int index, @Nullable String node, String ipv4) {
        Map<String, String> labels = new HashMap<>(Map.of(Names.POOL, pool));
        if (node != null) {
            labels.put(Names.NODE, node);
        }
        return block(labels, pool, index, ipv4);
    }

    public Sight block(Map<String, String> labels, String pool, int index, String ipv4) {
        String name = pool + "-" + index;
        blocks.add(
                new AddressBlock(
                        Names.COIL_API,
                        "AddressBlock",
                        new V1ObjectMeta().name(name).uid("block-" + name).labels(labels),
                        index,
                        ipv4,
                        null));
        return this;
    }

    public Sight report(String node, NodeBlockUsage.Block... of) {
        usages.add(
                new NodeBlockUsage(
                        Names.OPS_API,
                        "NodeBlockUsage",
                        new V1ObjectMeta().name(node).uid("usage-" + node),
                        new NodeBlockUsage.Report(
                                "1.0.0", at(NOW.minusSeconds(10)), at(NOW), "on", List.of(of)),
                        List.of()));
        return this;
    }

    public static NodeBlockUsage.Block usage(
            String block, int used, String state, @Nullable Duration empty) {
        String pool = block.substring(0, block.lastIndexOf('-'));
        return new NodeBlockUsage.Block(
                block,
                "block-" + block,
                pool,
                "2",
                used,
                "%02x".formatted((1 << used) - 1),
                empty == null ? null : at(NOW.minus(empty)),
                state);
    }

    public Sight request(String node, String pool, Duration age) {
        requests.add(
                new BlockRequest(
                        Names.COIL_API,
                        "BlockRequest",
                        new V1ObjectMeta()
                                .name("req-" + pool + "-" + node)
                                .uid("req-" + node)
                                .creationTimestamp(at(NOW.minus(age))),
                        new BlockRequest.Spec(node, pool),
                        null));
        return this;
    }

    public Sight run(GarbageCollection run) {
        runs.add(run);
        return this;
    }

    public static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
