package io.coil.admin.web;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A switch that is not as usual, and who set it.
 *
 * @param what it is, in a sentence without its stop
 * @param since when it was set; null if that, who and why are not known
 * @param means what follows from it
 */
public record Switched(
        String what,
        @Nullable Stamp since,
        @Nullable String who,
        @Nullable String reason,
        String means) {

    private static Switched of(String what, @Nullable SwitchedBy by, Instant now, String means) {
        return by == null
                ? new Switched(what, null, null, null, means)
                : new Switched(what, Stamp.of(by.at(), now), by.who(), by.reason(), means);
    }

    static List<Switched> of(NodeView node, Instant now) {
        return collection(
                "on this node", node.mode(), node.ownMode(), node.collectionBy(), "node", now);
    }

    static List<Switched> of(PoolView pool, Instant now) {
        List<Switched> all = new ArrayList<>();
        if (pool.drain() && pool.deleting() == null) {
            all.add(
                    of(
                            "This pool drains",
                            pool.drainBy(),
                            now,
                            "No block is granted and no address given; each block goes back when it is empty."));
        }
        all.addAll(
                collection(
                        "in this pool",
                        pool.mode(),
                        pool.ownMode(),
                        pool.collectionBy(),
                        "pool",
                        now));
        return all;
    }

    /** Of the block itself, and what is said of its pool or its node. */
    static List<Switched> of(BlockView block, Snapshot image, Instant now) {
        List<Switched> all = new ArrayList<>();
        if (block.forced() != null) {
            all.add(
                    new Switched(
                            "Somebody has asked to release it by force",
                            null,
                            null,
                            block.forced(),
                            "The controller does it when its node has not been ready for long enough, or is marked as out of service."));
        }
        if (block.drain() && block.deleting() == null) {
            all.add(
                    of(
                            "This block drains",
                            block.drainBy(),
                            now,
                            "It gives no new address, and goes back when it is empty."));
        }
        PoolView pool = image.pools().get(block.pool());
        NodeView node = block.node() == null ? null : image.nodes().get(block.node());
        if (pool != null && pool.ownMode() == block.mode()) {
            all.addAll(
                    collection(
                            "in pool " + pool.name(),
                            block.mode(),
                            pool.ownMode(),
                            pool.collectionBy(),
                            "block",
                            now));
        } else if (node != null && node.ownMode() == block.mode()) {
            all.addAll(
                    collection(
                            "on node " + node.name(),
                            block.mode(),
                            node.ownMode(),
                            node.collectionBy(),
                            "block",
                            now));
        } else {
            all.addAll(collection("here", block.mode(), null, null, "block", now));
        }
        return all;
    }

    /** None if it is on. What nobody has said here is said for everything. */
    private static List<Switched> collection(
            String where,
            CollectionMode mode,
            @Nullable CollectionMode own,
            @Nullable SwitchedBy by,
            String named,
            Instant now) {
        boolean here = own == mode;
        String place = here ? where : "for everything";
        SwitchedBy known = here ? by : null;
        return switch (mode) {
            case ON -> List.of();
            case MANUAL ->
                    List.of(
                            of(
                                    "Collection is manual " + place,
                                    known,
                                    now,
                                    "A collection acts here only if it names this %s or applies a plan."
                                            .formatted(named)));
            case OFF ->
                    List.of(
                            of(
                                    "Collection is off " + place,
                                    known,
                                    now,
                                    "Nothing is collected here, on demand neither."));
        };
    }
}
