package io.coil.controller.run;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Names;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether what a run names is there. A person who has just made it may be faster than our watches,
 * so what they do not show is read live.
 */
public final class Known {
    private final KubeApi api;
    private final ClusterView view;

    public Known(KubeApi api, ClusterView view) {
        this.api = api;
        this.view = view;
    }

    /** There is a Node of that name. */
    boolean node(String name) {
        return view.node(name) != null || api.get(Kinds.NODES, null, name).isPresent();
    }

    /** There is one, or blocks still carry its name. */
    boolean nodeOrItsBlocks(String name) {
        return view.blocks().stream().anyMatch(b -> name.equals(b.node()))
                || node(name)
                || !live(Names.NODE, name).isEmpty();
    }

    boolean poolOrItsBlocks(String name) {
        return view.pool(name) != null
                || api.get(Kinds.POOLS, null, name).isPresent()
                || !live(Names.POOL, name).isEmpty();
    }

    Optional<SeenBlock> block(String name) {
        return Optional.ofNullable(view.block(name))
                .or(() -> api.get(Kinds.BLOCKS, null, name).map(SeenBlock::of));
    }

    /** The nodes that hold blocks of that pool. */
    Set<String> nodesOfPool(String pool) {
        Set<String> nodes = new TreeSet<>();
        for (SeenBlock block : live(Names.POOL, pool)) {
            if (block.node() != null) {
                nodes.add(block.node());
            }
        }
        return nodes;
    }

    /** The nodes that have anything to answer for: a block, or an agent that has ever reported. */
    Set<String> nodesWithSomething() {
        Set<String> nodes = new TreeSet<>();
        for (SeenBlock block : view.blocks()) {
            if (block.node() != null) {
                nodes.add(block.node());
            }
        }
        view.usages().forEach(u -> nodes.add(u.node()));
        return nodes;
    }

    private List<SeenBlock> live(String label, String value) {
        return api.list(Kinds.BLOCKS, Selection.labelled(label, value)).items().stream()
                .map(SeenBlock::of)
                .toList();
    }
}
