package io.coil.agent.pool;

import io.coil.agent.AgentSettings;
import io.coil.core.holdings.PoolTerms;
import io.coil.core.pool.CollectionMode;
import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Which pool a pod's namespace uses, and what holds for a pool on this node: from watches,
 * confirmed live where "absent" would decide.
 */
public final class PoolDirectory {
    private final KubeApi api;
    private final AgentSettings settings;
    private final Function<String, @Nullable PoolEntry> pools;
    private final Function<String, @Nullable String> namespaces;
    private final Supplier<Optional<CollectionMode>> nodeMode;

    /**
     * A directory over what the watches show.
     *
     * @param pools name to entry, null if the watch shows none
     * @param namespaces name to the pool that it chose, null if the watch shows no such namespace
     * @param nodeMode collection mode by the Node's annotation
     */
    public PoolDirectory(
            KubeApi api,
            AgentSettings settings,
            Function<String, @Nullable PoolEntry> pools,
            Function<String, @Nullable String> namespaces,
            Supplier<Optional<CollectionMode>> nodeMode) {
        this.api = api;
        this.settings = settings;
        this.pools = pools;
        this.namespaces = namespaces;
        this.nodeMode = nodeMode;
    }

    /** The pool of a namespace's pods; empty if there is no such namespace, also by a live read. */
    public Optional<String> poolOf(String namespace) {
        String chosen = namespaces.apply(namespace);
        if (chosen != null) {
            return Optional.of(chosen);
        }
        return api.get(Kinds.NAMESPACES, null, namespace).map(PoolEntry::chosenBy);
    }

    /** What holds for a pool as far as the watch shows. */
    public PoolTerms terms(String pool) {
        return terms(pool, pools.apply(pool));
    }

    /** The same; a pool that the watch does not show is read live. */
    public PoolTerms confirmedTerms(String pool) {
        PoolEntry entry = pools.apply(pool);
        if (entry == null) {
            entry = api.get(Kinds.POOLS, null, pool).map(PoolEntry::of).orElse(null);
        }
        return terms(pool, entry);
    }

    /** The mode in force on this node, pools aside. */
    public CollectionMode nodeMode() {
        return CollectionMode.strictest(
                settings.collection(), nodeMode.get().orElse(CollectionMode.ON));
    }

    private PoolTerms terms(String pool, @Nullable PoolEntry entry) {
        if (entry == null) {
            return new PoolTerms(
                    null,
                    PoolTerms.State.GONE,
                    "there is no pool \"%s\"".formatted(pool),
                    0,
                    settings.reuseDelay(),
                    nodeMode());
        }
        PoolSwitches switches = entry.switches();
        return new PoolTerms(
                entry.uid(),
                state(entry),
                whyNot(pool, entry),
                switches.spareBlocks().orElse(settings.spareBlocks()),
                switches.reuseDelay().orElse(settings.reuseDelay()),
                CollectionMode.strictest(
                        nodeMode(), switches.collection().orElse(CollectionMode.ON)));
    }

    private static PoolTerms.State state(PoolEntry entry) {
        if (entry.beingDeleted()) {
            return PoolTerms.State.GONE;
        }
        return entry.switches().drain() ? PoolTerms.State.DRAINED : PoolTerms.State.SERVING;
    }

    private static @Nullable String whyNot(String pool, PoolEntry entry) {
        if (entry.beingDeleted()) {
            return "pool \"%s\" is being deleted".formatted(pool);
        }
        return entry.switches().drain() ? "pool \"%s\" is being drained".formatted(pool) : null;
    }
}
