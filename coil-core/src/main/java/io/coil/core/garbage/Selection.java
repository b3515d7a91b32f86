package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * What a run is about. An empty set of a kind: all of them. A thing is meant if it is meant by each
 * of the three; one that has no block, pool or node is not meant by a set that names some.
 */
public record Selection(Set<String> nodes, Set<String> pools, Set<String> blocks) {
    /** Everything. */
    public static final Selection ALL = new Selection(Set.of(), Set.of(), Set.of());

    public Selection {
        nodes = Set.copyOf(nodes);
        pools = Set.copyOf(pools);
        blocks = Set.copyOf(blocks);
    }

    public boolean isAll() {
        return nodes.isEmpty() && pools.isEmpty() && blocks.isEmpty();
    }

    public boolean matches(@Nullable String node, @Nullable String pool, @Nullable String block) {
        return matches(nodes, node) && matches(pools, pool) && matches(blocks, block);
    }

    public boolean matches(Item item) {
        return matches(item.node(), item.pool(), item.block());
    }

    /** Whether the node has a part in the run. */
    public boolean matchesNode(String node) {
        return matches(nodes, node);
    }

    /** Whether the thing is meant by name, rather than as one of all. */
    public boolean names(@Nullable String node, @Nullable String pool, @Nullable String block) {
        return !isAll() && matches(node, pool, block);
    }

    private static boolean matches(Set<String> wanted, @Nullable String name) {
        return wanted.isEmpty() || (name != null && wanted.contains(name));
    }
}
