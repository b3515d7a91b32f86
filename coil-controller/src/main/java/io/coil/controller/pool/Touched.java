package io.coil.controller.pool;

import java.util.HashSet;
import java.util.Set;

/**
 * What may be different since the last look at the pools: noted by the watches, taken by the task
 * that looks.
 */
final class Touched {
    // all guarded by this
    private Set<String> pools = new HashSet<>();
    private Set<String> blocks = new HashSet<>();
    private Set<String> nodes = new HashSet<>();
    private boolean allPools;

    /**
     * What was noted.
     *
     * @param nodes all their blocks are meant
     * @param allPools the pools, not their blocks
     */
    record Taken(Set<String> pools, Set<String> blocks, Set<String> nodes, boolean allPools) {}

    synchronized void pool(String name) {
        pools.add(name);
    }

    synchronized void allPools() {
        allPools = true;
    }

    synchronized void block(String name) {
        blocks.add(name);
    }

    synchronized void node(String name) {
        nodes.add(name);
    }

    synchronized Taken take() {
        Taken taken = new Taken(pools, blocks, nodes, allPools);
        pools = new HashSet<>();
        blocks = new HashSet<>();
        nodes = new HashSet<>();
        allPools = false;
        return taken;
    }
}
