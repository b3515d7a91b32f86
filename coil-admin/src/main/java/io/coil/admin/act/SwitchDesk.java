package io.coil.admin.act;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import io.coil.admin.access.Caller;
import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.SwitchedBy;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The switches of pools, nodes and blocks: annotations, written with the caller's token, and beside
 * each of them who set it. To set one to what it says already changes nothing.
 */
public final class SwitchDesk {
    private final Changes changes;

    public SwitchDesk(Changes changes) {
        this.changes = changes;
    }

    /** Where a switch is. */
    private record Place<T extends KubernetesObject>(Kind<T> kind, String name, String uid) {}

    /** A pool gives no new address and empties, or does so no longer. */
    public Done drainPool(Caller caller, String name, boolean drain, String reason)
            throws InterruptedException {
        Asked asked = new Asked(caller, drain ? "drain" : "end-drain", "pool", name, reason);
        return changes.noted(
                asked,
                warnings -> {
                    PoolView pool = pool(name);
                    if (pool.drain() == drain) {
                        return Done.of(Done.State.ALREADY, drainedPool(pool, drain));
                    }
                    Place<?> place = new Place<>(Kinds.POOLS, name, pool.uid());
                    String patch = patch(asked, Names.DRAIN, Names.DRAIN_BY, drain ? "true" : null);
                    write(caller, warnings, place, patch);
                    boolean _ =
                            changes.shown(
                                    s -> s.pool(name).map(p -> p.drain() == drain).orElse(true));
                    return Done.of(Done.State.DONE, drainedPool(pool, drain));
                });
    }

    private static String drainedPool(PoolView pool, boolean drain) {
        return drain
                ? "Pool %s drains: no new block, no new address. It has %s with %s in use; each goes back when it is empty."
                        .formatted(
                                pool.name(),
                                Spoken.count(pool.blocks().size(), "block"),
                                Spoken.count(pool.total().used(), "address"))
                : "Pool %s does not drain: it gives addresses.".formatted(pool.name());
    }

    /** The same for one block. */
    public Done drainBlock(Caller caller, String name, boolean drain, String reason)
            throws InterruptedException {
        Asked asked = new Asked(caller, drain ? "drain" : "end-drain", "block", name, reason);
        return changes.noted(
                asked,
                warnings -> {
                    Snapshot snapshot = changes.fresh();
                    BlockView block =
                            snapshot.block(name)
                                    .orElseThrow(() -> Problem.notFound("block", name).thrown());
                    if (block.drain() == drain) {
                        return Done.of(Done.State.ALREADY, drainedBlock(block, drain, snapshot));
                    }
                    Place<?> place = new Place<>(Kinds.BLOCKS, name, block.uid());
                    String patch = patch(asked, Names.DRAIN, Names.DRAIN_BY, drain ? "true" : null);
                    write(caller, warnings, place, patch);
                    boolean _ =
                            changes.shown(
                                    s -> s.block(name).map(b -> b.drain() == drain).orElse(true));
                    return Done.of(Done.State.DONE, drainedBlock(block, drain, snapshot));
                });
    }

    private static String drainedBlock(BlockView block, boolean drain, Snapshot snapshot) {
        if (!drain) {
            return "Block %s does not drain: it gives addresses.".formatted(block.name());
        }
        return block.empty()
                ? "Block %s drains. It is empty, so it goes back now.".formatted(block.name())
                : "Block %s drains: no new address, and it goes back when it is empty. %s."
                        .formatted(block.name(), Users.of(block, snapshot));
    }

    /** {@code mode} null: the pool says nothing of its own. */
    public Done collectPool(
            Caller caller, String name, @Nullable CollectionMode mode, String reason)
            throws InterruptedException {
        Asked asked = new Asked(caller, action(mode), "pool", name, reason);
        return changes.noted(
                asked,
                warnings -> {
                    PoolView pool = pool(name);
                    boolean already = pool.ownMode() == mode;
                    if (!already) {
                        Place<?> place = new Place<>(Kinds.POOLS, name, pool.uid());
                        write(caller, warnings, place, mode(asked, mode));
                        boolean _ =
                                changes.shown(
                                        s ->
                                                s.pool(name)
                                                        .map(p -> p.ownMode() == mode)
                                                        .orElse(true));
                    }
                    CollectionMode holds =
                            changes.latest().pool(name).map(PoolView::mode).orElse(pool.mode());
                    return Done.of(state(already), collects("in pool " + name, mode, holds));
                });
    }

    /** {@code mode} null: the node says nothing of its own. */
    public Done collectNode(
            Caller caller, String name, @Nullable CollectionMode mode, String reason)
            throws InterruptedException {
        Asked asked = new Asked(caller, action(mode), "node", name, reason);
        return changes.noted(
                asked,
                warnings -> {
                    NodeView node =
                            changes.fresh()
                                    .node(name)
                                    .filter(NodeView::exists)
                                    .orElseThrow(() -> Problem.notFound("node", name).thrown());
                    boolean already = node.ownMode() == mode;
                    if (!already) {
                        String uid = Objects.requireNonNull(node.uid());
                        write(
                                caller,
                                warnings,
                                new Place<>(Kinds.NODES, name, uid),
                                mode(asked, mode));
                        boolean _ =
                                changes.shown(
                                        s ->
                                                s.node(name)
                                                        .map(n -> n.ownMode() == mode)
                                                        .orElse(true));
                    }
                    CollectionMode holds =
                            changes.latest().node(name).map(NodeView::mode).orElse(node.mode());
                    return Done.of(state(already), collects("on node " + name, mode, holds));
                });
    }

    private static Done.State state(boolean already) {
        return already ? Done.State.ALREADY : Done.State.DONE;
    }

    private static String action(@Nullable CollectionMode mode) {
        return "collection-" + (mode == null ? "as-everywhere" : mode.text());
    }

    private static String collects(
            String where, @Nullable CollectionMode asked, CollectionMode holds) {
        String said =
                switch (asked) {
                    case null -> "Nothing of its own is said about collection " + where + ".";
                    case ON -> "Collection is switched on " + where + ".";
                    case MANUAL ->
                            "Collection is manual "
                                    + where
                                    + ": only a run that names it, or applies a plan, collects.";
                    case OFF ->
                            "Collection is off "
                                    + where
                                    + ": nothing is collected there, on demand neither.";
                };
        return asked == holds
                ? said
                : said
                        + " What holds there is "
                        + holds.text()
                        + ": the strictest of all that is said.";
    }

    private PoolView pool(String name) {
        return changes.fresh()
                .pool(name)
                .orElseThrow(() -> Problem.notFound("pool", name).thrown());
    }

    private String mode(Asked asked, @Nullable CollectionMode mode) {
        return patch(
                asked, Names.COLLECTION, Names.COLLECTION_BY, mode == null ? null : mode.text());
    }

    /** A merge patch; {@code value} null takes both annotations off. */
    private String patch(Asked asked, String name, String beside, @Nullable String value) {
        JsonObject annotations = new JsonObject();
        annotations.add(name, value == null ? JsonNull.INSTANCE : new JsonPrimitive(value));
        annotations.add(
                beside,
                value == null
                        ? JsonNull.INSTANCE
                        : new JsonPrimitive(
                                new SwitchedBy(
                                                value,
                                                changes.now(),
                                                asked.caller().name(),
                                                asked.reason())
                                        .text()));
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        return patch.toString();
    }

    /** The very object that was judged: not another of its name. */
    private void write(Caller caller, List<String> warnings, Place<?> place, String patch) {
        changes.as(
                caller,
                warnings,
                api ->
                        api.patch(
                                place.kind(),
                                null,
                                place.name(),
                                Preconditions.uid(place.uid()),
                                patch));
    }
}
