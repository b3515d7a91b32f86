package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The blocks of a node by name, and by pool in the order in which they came; only their aggregate
 * changes them. Part of {@link NodeHoldings}, and guarded as it.
 */
public final class HeldBlocks {
    private static final List<HeldBlock> NONE = List.of();

    private final Map<String, HeldBlock> byName = new TreeMap<>();
    private final Map<String, List<HeldBlock>> byPool = new HashMap<>();

    HeldBlocks() {}

    void add(HeldBlock block) {
        byName.put(block.id.name(), block);
        byPool.computeIfAbsent(block.id.pool(), p -> new ArrayList<>()).add(block);
    }

    void remove(HeldBlock block) {
        byName.remove(block.id.name());
        byPool.computeIfPresent(
                block.id.pool(),
                (pool, list) -> {
                    list.remove(block);
                    return list.isEmpty() ? null : list;
                });
    }

    @Nullable HeldBlock named(String name) {
        return byName.get(name);
    }

    /** That very block; null also if another one has its name now. */
    @Nullable HeldBlock held(String name, String uid) {
        HeldBlock block = byName.get(name);
        return block != null && block.id.uid().equals(uid) ? block : null;
    }

    List<HeldBlock> of(String pool) {
        return byPool.getOrDefault(pool, NONE);
    }

    /** Of which there are blocks. */
    Collection<String> pools() {
        return byPool.keySet();
    }

    /** By name. */
    Collection<HeldBlock> all() {
        return byName.values();
    }

    /** UID of the block held under this name, or null. */
    public @Nullable String uid(String name) {
        HeldBlock block = byName.get(name);
        return block == null ? null : block.id.uid();
    }

    /** Whether that very block is held, not on its way back, and gives or is used. */
    public boolean needsRoute(String name, String uid) {
        HeldBlock block = held(name, uid);
        return block != null
                && block.stays()
                && (block.state == BlockState.SERVING || !block.empty());
    }

    /** By name. */
    public List<BlockIdentity> identities() {
        return byName.values().stream().map(b -> b.id).toList();
    }

    /**
     * Whether what a watch shows of a block is no news. A block on its way back is known to be
     * deleted.
     */
    public boolean knows(
            String name, String uid, boolean beingDeleted, boolean drainAsked, boolean reserved) {
        HeldBlock block = held(name, uid);
        return block != null
                && (!beingDeleted || block.beingDeleted || block.state == BlockState.DELETING)
                && block.drainAsked == drainAsked
                && block.id.reserved() == reserved;
    }

    /** All as they are now, by name. */
    public List<BlockView> views(Function<String, PoolTerms> termsOf, long nowNanos) {
        Map<String, Integer> spares = new HashMap<>();
        List<BlockView> views = new ArrayList<>();
        for (HeldBlock block : byName.values()) {
            PoolTerms terms = termsOf.apply(block.id.pool());
            BlockView view = block.view(terms, nowNanos);
            if (view.spare() && spares.merge(block.id.pool(), 1, Integer::sum) > terms.spares()) {
                view = view.notSpare();
            }
            views.add(view);
        }
        return List.copyOf(views);
    }
}
