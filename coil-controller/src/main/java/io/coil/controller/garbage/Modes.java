package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenNode;
import io.coil.controller.view.SeenPool;
import io.coil.core.garbage.Selection;
import io.coil.core.garbage.Trigger;
import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which mode of collection holds: the strictest of the setting's, the pool's and the node's. */
public final class Modes {
    private static final int NAMED = 5;

    private final CollectionMode everything;
    private final ClusterView view;

    public Modes(CollectionMode everything, ClusterView view) {
        this.everything = everything;
        this.view = view;
    }

    public CollectionMode of(@Nullable String node, @Nullable String pool) {
        List<CollectionMode> all = new ArrayList<>();
        all.add(everything);
        SeenNode seenNode = node == null ? null : view.node(node);
        if (seenNode != null) {
            seenNode.collection().ifPresent(all::add);
        }
        SeenPool seenPool = pool == null ? null : view.pool(pool);
        if (seenPool != null) {
            seenPool.switches().collection().ifPresent(all::add);
        }
        return CollectionMode.strictest(all);
    }

    /**
     * Where collection is not on among what a run is about, in a sentence; null: it is on
     * everywhere.
     */
    public @Nullable String said(Selection selection) {
        List<String> places = new ArrayList<>();
        if (everything != CollectionMode.ON) {
            places.add("%s everywhere".formatted(everything.text()));
        }
        for (CollectionMode mode : List.of(CollectionMode.OFF, CollectionMode.MANUAL)) {
            places.addAll(
                    places(
                            mode,
                            "pool",
                            view.pools().stream()
                                    .filter(p -> p.switches().collection().equals(of(mode)))
                                    .map(SeenPool::name)
                                    .filter(p -> isMeant(selection.pools(), p))));
            places.addAll(
                    places(
                            mode,
                            "node",
                            view.nodes().stream()
                                    .filter(n -> n.collection().equals(of(mode)))
                                    .map(SeenNode::name)
                                    .filter(n -> isMeant(selection.nodes(), n))));
        }
        return places.isEmpty() ? null : "collection is " + String.join(", ", places);
    }

    private static Optional<CollectionMode> of(CollectionMode mode) {
        return Optional.of(mode);
    }

    private static boolean isMeant(Set<String> named, String name) {
        return named.isEmpty() || named.contains(name);
    }

    private static List<String> places(CollectionMode mode, String kind, Stream<String> names) {
        List<String> all = names.sorted().toList();
        if (all.isEmpty()) {
            return List.of();
        }
        String first = all.stream().limit(NAMED).collect(Collectors.joining(", "));
        String rest = all.size() > NAMED ? " and %d more".formatted(all.size() - NAMED) : "";
        return List.of(
                "%s for %s%s %s%s"
                        .formatted(mode.text(), kind, all.size() == 1 ? "" : "s", first, rest));
    }

    public boolean allow(Trigger trigger, @Nullable String node, @Nullable String pool) {
        return trigger.allowedBy(of(node, pool));
    }
}
