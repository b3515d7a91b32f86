package io.coil.simulation.mutant.hook;

import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenNode;
import io.coil.core.garbage.OrphanBlock;
import io.coil.core.garbage.OrphanStep;
import io.coil.core.garbage.Orphans;
import io.coil.kubernetes.resource.Meta;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** An orphan is a block whose node's UID is gone, though a Node of that name may be there. */
public final class OrphanHooks {
    /** UID of the Node that this task has seen last. */
    private static final ThreadLocal<@Nullable String> NODE = new ThreadLocal<>();

    private OrphanHooks() {}

    /** A request is granted: its block is made for the Node that owns the request. */
    public static String madeFor(String request, V1ObjectMeta meta) {
        String node = Meta.ownerUid(meta, "Node");
        if (node != null) {
            Memory.put(node, "node of request", request);
        }
        return request;
    }

    /** A block is looked at. */
    public static String granted(String block, SeenBlock seen) {
        if (seen.request() != null) {
            Memory.put(seen.request(), "request of block", block);
        }
        return block;
    }

    public static @Nullable SeenNode seen(@Nullable SeenNode node, Object view, String name) {
        NODE.set(node == null ? null : node.uid());
        return node;
    }

    public static Optional<?> read(
            Optional<?> node, Object api, Object kind, @Nullable String namespace, String name) {
        NODE.set(node.map(n -> Meta.uid(((V1Node) n).getMetadata())).orElse(null));
        return node;
    }

    /** Whether the Node that is there is the one that the block was made for. */
    private static boolean same(String block, boolean there) {
        Object request = Memory.get("request of block", block);
        Object madeFor = request == null ? null : Memory.get("node of request", request);
        return there && (madeFor == null || madeFor.equals(NODE.get()));
    }

    public static OrphanStep look(Orphans orphans, OrphanBlock block, boolean there, long now) {
        return orphans.look(block, same(block.uid(), there), now);
    }

    public static OrphanStep nodeRead(Orphans orphans, OrphanBlock block, boolean there, long now) {
        return orphans.nodeRead(block, same(block.uid(), there), now);
    }

    public static OrphanStep nodeReadAgain(Orphans orphans, String block, boolean there, long now) {
        return orphans.nodeReadAgain(block, same(block, there), now);
    }
}
