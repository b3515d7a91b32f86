package io.coil.controller;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an agent would report of its node: the blocks that exist, and how much of each is used. */
final class Reports {
    private Reports() {}

    /**
     * {@code used}: addresses in use, by name of the block; all blocks of the node are reported.
     */
    static void write(Cluster cluster, String node, Map<String, Long> used) {
        List<NodeBlockUsage.Block> blocks = new ArrayList<>();
        for (Map.Entry<String, Long> each : new TreeMap<>(used).entrySet()) {
            AddressBlock block = cluster.api.get(Kinds.BLOCKS, null, each.getKey()).orElseThrow();
            blocks.add(
                    new NodeBlockUsage.Block(
                            each.getKey(),
                            Meta.uid(block.metadata()),
                            String.valueOf(block.pool()),
                            block.range().orElseThrow().size().toString(),
                            each.getValue(),
                            null,
                            null,
                            "serving"));
        }
        NodeBlockUsage.Report report =
                new NodeBlockUsage.Report(
                        "test", OffsetDateTime.now(ZoneOffset.UTC), null, "on", blocks);
        Optional<NodeBlockUsage> there = cluster.api.get(Kinds.USAGES, null, node);
        NodeBlockUsage usage =
                new NodeBlockUsage(
                        Names.OPS_API,
                        "NodeBlockUsage",
                        there.map(NodeBlockUsage::metadata)
                                .orElseGet(() -> new V1ObjectMeta().name(node)),
                        report,
                        null);
        NodeBlockUsage _ =
                there.isPresent()
                        ? cluster.api.replace(Kinds.USAGES, usage)
                        : cluster.api.create(Kinds.USAGES, usage);
    }
}
