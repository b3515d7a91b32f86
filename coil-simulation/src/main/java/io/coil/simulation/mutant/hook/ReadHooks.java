package io.coil.simulation.mutant.hook;

import io.coil.agent.block.Adoption;
import io.coil.agent.block.BlockSync;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.KubeApi.Listing;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** An agent's reads that are not live. */
public final class ReadHooks {
    /** This task looks at a block that the watch does not show. */
    private static final ThreadLocal<Boolean> NOT_SHOWN = ThreadLocal.withInitial(() -> false);

    /** This task looks at a block of a list. */
    private static final ThreadLocal<@Nullable AddressBlock> LISTED = new ThreadLocal<>();

    /** What this task has read of the block that it returns. */
    private static final ThreadLocal<@Nullable AddressBlock> READ_ONCE = new ThreadLocal<>();

    private ReadHooks() {}

    /** The block as a watch shows it; if it shows none, as it is. */
    public static Optional<?> shownOrLive(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name, Object adoption) {
        Optional<AddressBlock> shown = shown(adoption, api, name);
        return shown.isPresent() ? shown : api.get(kind, namespace, name);
    }

    /** The block as a watch shows it, and none if it shows none. */
    public static Optional<?> shownOnly(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name, Object adoption) {
        Optional<AddressBlock> shown = shown(adoption, api, name);
        return watch(adoption, api).synced() ? shown : api.get(kind, namespace, name);
    }

    private static Optional<AddressBlock> shown(Object adoption, KubeApi api, String name) {
        return Optional.ofNullable(watch(adoption, api).image().get(new ObjectKey(null, name)));
    }

    @SuppressWarnings("unchecked")
    private static Reflector<AddressBlock, AddressBlock> watch(Object adoption, KubeApi api) {
        Object known = Memory.get("watch", adoption);
        if (known == null) {
            Reflector<AddressBlock, AddressBlock> fresh =
                    new Reflector<>(
                            api,
                            Peek.field(adoption, "time", Timeline.class),
                            Kinds.BLOCKS,
                            Selection.labelled(
                                    Names.NODE, Peek.field(adoption, "node", String.class)),
                            block -> block,
                            Changes.run(() -> {}));
            Memory.put(fresh, "watch", adoption);
            fresh.start();
            return fresh;
        }
        return (Reflector<AddressBlock, AddressBlock>) known;
    }

    /** Looks at a block; what the watch does not show is gone. */
    @SuppressWarnings("unchecked")
    public static Adoption.Outcome lookIfShown(Adoption adoption, String name, Object blockSync)
            throws InterruptedException {
        Supplier<Map<String, BlockSync.Hint>> watched =
                Peek.field(blockSync, "watched", Supplier.class);
        NOT_SHOWN.set(!watched.get().containsKey(name));
        try {
            return adoption.look(name);
        } finally {
            NOT_SHOWN.remove();
        }
    }

    /** None if this task was told that the block is not shown. */
    public static Optional<?> liveIfShown(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        return NOT_SHOWN.get() ? Optional.empty() : api.get(kind, namespace, name);
    }

    /** The watch shows a block: a cache has it from now on. */
    public static V1ObjectMeta cache(V1ObjectMeta meta, AddressBlock block) {
        String node = block.node();
        if (node != null) {
            cacheOf(node).put(Meta.name(meta), block);
        }
        return meta;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, AddressBlock> cacheOf(String node) {
        Object known = Memory.get("cache", node);
        if (known == null) {
            Map<String, AddressBlock> fresh = new TreeMap<>();
            Memory.put(fresh, "cache", node);
            return fresh;
        }
        return (Map<String, AddressBlock>) known;
    }

    /** What watches have shown of a node's blocks, however long ago; live if they have not. */
    public static Listing<?> listFromCache(KubeApi api, Kind<?> kind, Selection selection) {
        String label = String.valueOf(selection.labels());
        List<AddressBlock> cached =
                new ArrayList<>(cacheOf(label.substring(label.indexOf('=') + 1)).values());
        return cached.isEmpty() ? api.list(kind, selection) : new Listing<>(cached, "0");
    }

    /** Looks at a block of the list as the list has it. */
    public static Adoption.Outcome lookAtListed(Adoption adoption, String name, Object rebuild)
            throws InterruptedException {
        KubeApi api = Peek.field(rebuild, "api", KubeApi.class);
        String node = Peek.field(adoption, "node", String.class);
        AddressBlock cached = cacheOf(node).get(name);
        LISTED.set(cached != null ? cached : api.get(Kinds.BLOCKS, null, name).orElse(null));
        try {
            return adoption.look(name);
        } finally {
            LISTED.remove();
        }
    }

    /** The block of the list, if this task was told of one. */
    public static Optional<?> listedOrLive(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        AddressBlock listed = LISTED.get();
        return listed != null && Meta.name(listed.metadata()).equals(name)
                ? Optional.of(listed)
                : api.get(kind, namespace, name);
    }

    /** A pool that nothing can be said against, whatever there is. */
    public static Optional<?> somePool(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        Optional<?> there = api.get(kind, namespace, name);
        return there.isPresent()
                ? there
                : Optional.of(
                        new AddressPool(
                                Kinds.POOLS.apiVersion(),
                                Kinds.POOLS.kind(),
                                new V1ObjectMeta().name(name).uid("none"),
                                null,
                                null));
    }

    /** The first read of this return, until its DELETE is answered. */
    public static Optional<?> readOnce(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        AddressBlock known = READ_ONCE.get();
        if (known != null) {
            return Optional.of(known);
        }
        Optional<?> live = api.get(kind, namespace, name);
        live.ifPresent(block -> READ_ONCE.set((AddressBlock) block));
        return live;
    }

    /** The DELETE was answered: what was read is old. */
    public static Optional<?> readAgain(
            Optional<?> held,
            KubeApi api,
            Kind<?> kind,
            @Nullable String namespace,
            String name,
            Object must) {
        READ_ONCE.remove();
        return held;
    }

    /** A starting agent reads its Node. */
    public static Optional<?> rememberNode(
            Optional<?> read, KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        if (read.isPresent()) {
            Memory.put(read, "node", api);
        }
        return read;
    }

    /** The Node as it was when the agent started. */
    @SuppressWarnings("unchecked")
    public static Optional<V1Node> nodeOfTheStart(
            KubeApi api, Kind<?> kind, @Nullable String namespace, String name) {
        Object known = Memory.get("node", api);
        return known == null
                ? (Optional<V1Node>) api.get(kind, namespace, name)
                : (Optional<V1Node>) known;
    }
}
