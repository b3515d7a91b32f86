package io.coil.controller.run;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether what a run names is there. A person who has just made it may be faster than our watches,
 * so what they do not show is read live.
 */
public final class Known {
    private static final int FEW = 16;

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

    /**
     * Those of them that are there. What the watch does not show is read live: one by one, or all
     * at once if there are many.
     */
    Set<String> existing(Set<String> names) {
        Set<String> existing = new HashSet<>();
        List<String> unseen = new ArrayList<>();
        for (String name : names) {
            if (view.node(name) != null) {
                existing.add(name);
            } else {
                unseen.add(name);
            }
        }
        if (unseen.size() > FEW) {
            Set<String> wanted = Set.copyOf(unseen);
            api.list(Kinds.NODES, Selection.ALL).items().stream()
                    .map(n -> Meta.name(n.getMetadata()))
                    .filter(wanted::contains)
                    .forEach(existing::add);
        } else {
            unseen.stream().filter(this::node).forEach(existing::add);
        }
        return existing;
    }

    /** There is one, or blocks still carry its name. */
    boolean nodeOrItsBlocks(String name) {
        return !view.blocksOf(name).isEmpty() || node(name) || !live(Names.NODE, name).isEmpty();
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
        Set<String> nodes = new TreeSet<>(view.nodesWithBlocks());
        view.usages().forEach(u -> nodes.add(u.node()));
        return nodes;
    }

    private List<SeenBlock> live(String label, String value) {
        return api.list(Kinds.BLOCKS, Selection.labelled(label, value)).items().stream()
                .map(SeenBlock::of)
                .toList();
    }
}
