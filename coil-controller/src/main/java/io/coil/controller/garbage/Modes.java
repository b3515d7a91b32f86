package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenNode;
import io.coil.controller.view.SeenPool;
import io.coil.core.garbage.Trigger;
import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Which mode of collection holds: the strictest of the setting's, the pool's and the node's. */
public final class Modes {
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

    public boolean allow(Trigger trigger, @Nullable String node, @Nullable String pool) {
        return trigger.allowedBy(of(node, pool));
    }
}
