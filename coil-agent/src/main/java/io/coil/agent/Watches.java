package io.coil.agent;

import io.coil.agent.block.BlockSync;
import io.coil.agent.collect.Runs;
import io.coil.agent.pool.PoolEntry;
import io.coil.agent.request.Asker;
import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an agent watches, and the little that it keeps of it: its own blocks, requests and Node;
 * pools, namespaces and runs in short.
 */
final class Watches {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Who is told of changes; each call is short. */
    record Listeners(
            Consumer<String> pool,
            Runnable blocks,
            Runnable requests,
            Runnable runs,
            Runnable node) {}

    private record NodeEntry(Optional<CollectionMode> mode) {
        static NodeEntry of(V1Node node) {
            return new NodeEntry(
                    PoolSwitches.parse(Meta.annotations(node.getMetadata()))
                            .switches()
                            .collection());
        }
    }

    private final String nodeName;
    private final Reflector<AddressPool, PoolEntry> pools;
    private final Reflector<V1Namespace, String> namespaces;
    private final Reflector<AddressBlock, BlockSync.Hint> blocks;
    private final Reflector<BlockRequest, Asker.Hint> requests;
    private final Reflector<GarbageCollection, Runs.Asked> runs;
    private final Reflector<V1Node, NodeEntry> node;

    Watches(KubeApi api, Timeline time, String nodeName, Listeners listeners) {
        this.nodeName = nodeName;
        Selection ours = Selection.labelled(Names.NODE, nodeName);
        pools =
                new Reflector<>(
                        api,
                        time,
                        Kinds.POOLS,
                        Selection.ALL,
                        PoolEntry::of,
                        new PoolChanges(listeners.pool()));
        namespaces =
                new Reflector<>(
                        api,
                        time,
                        Kinds.NAMESPACES,
                        Selection.ALL,
                        PoolEntry::chosenBy,
                        Changes.run(() -> {}));
        blocks =
                new Reflector<>(
                        api,
                        time,
                        Kinds.BLOCKS,
                        ours,
                        BlockSync.Hint::of,
                        Changes.run(listeners.blocks()));
        requests =
                new Reflector<>(
                        api,
                        time,
                        Kinds.REQUESTS,
                        ours,
                        Asker.Hint::of,
                        Changes.run(listeners.requests()));
        runs =
                new Reflector<>(
                        api,
                        time,
                        Kinds.COLLECTIONS,
                        Selection.ALL,
                        Runs.Asked::of,
                        Changes.run(listeners.runs()));
        node =
                new Reflector<>(
                        api,
                        time,
                        Kinds.NODES,
                        Selection.named(nodeName),
                        NodeEntry::of,
                        Changes.run(listeners.node()));
    }

    private record PoolChanges(Consumer<String> told) implements Changes<PoolEntry> {
        @Override
        public void upserted(ObjectKey key, @Nullable PoolEntry old, PoolEntry now) {
            told.accept(key.name());
        }

        @Override
        public void removed(ObjectKey key, PoolEntry old) {
            told.accept(key.name());
        }
    }

    private List<Reflector<?, ?>> all() {
        return List.of(pools, namespaces, blocks, requests, runs, node);
    }

    void start() {
        all().forEach(Reflector::start);
    }

    void stop() {
        all().forEach(Reflector::stop);
    }

    /** Waits until each has listed once; false if not all have in time. */
    boolean synced() throws InterruptedException {
        for (Reflector<?, ?> reflector : all()) {
            if (!reflector.awaitSynced(PATIENCE)) {
                return false;
            }
        }
        return true;
    }

    /** How long the API has not been seen by the one that saw it last. */
    Duration silence() {
        return all().stream()
                .map(r -> r.sight().blindFor())
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    @Nullable PoolEntry pool(String name) {
        return pools.get(name);
    }

    @Nullable String namespace(String name) {
        return namespaces.get(name);
    }

    Optional<CollectionMode> nodeMode() {
        NodeEntry entry = node.get(nodeName);
        return entry == null ? Optional.empty() : entry.mode();
    }

    Map<String, BlockSync.Hint> blocks() {
        return byName(blocks);
    }

    Map<String, Asker.Hint> requests() {
        return byName(requests);
    }

    Map<String, Runs.Asked> runs() {
        return byName(runs);
    }

    private static <V> Map<String, V> byName(Reflector<?, V> reflector) {
        Map<String, V> map = new HashMap<>();
        reflector.image().forEach((key, value) -> map.put(key.name(), value));
        return map;
    }
}
