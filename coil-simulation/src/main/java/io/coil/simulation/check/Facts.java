package io.coil.simulation.check;

import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.CommitListener;
import io.coil.apiserver.store.StoredObject;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.BlockRange;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What the server holds at this step, as far as the invariants ask; kept by hearing every write.
 */
public final class Facts implements CommitListener {

    /**
     * A block, as it is stored.
     *
     * @param late it was made when its pool had gone, by a create that came late: nobody may use it
     */
    public record Block(
            String name,
            String uid,
            @Nullable String node,
            @Nullable String pool,
            @Nullable String poolUid,
            @Nullable String request,
            int index,
            @Nullable BlockRange range,
            boolean deleting,
            boolean late) {

        /** Whether they have an address in common. */
        public boolean overlaps(Block other) {
            return range != null && other.range != null && range.overlaps(other.range);
        }
    }

    /**
     * A request, as it is stored.
     *
     * @param failure the reason of its condition Failed; null if it has none
     */
    public record Request(
            String name, String uid, String node, String pool, @Nullable String failure) {}

    /** A pool, as it is stored. */
    public record Pool(String name, String uid, boolean deleting, int bits) {}

    /** Hears of a write within the step that makes it. */
    public interface Judge {
        void blockWritten(@Nullable Block before, Block after, boolean gone);

        void requestWritten(Request request, boolean gone);
    }

    private final LongSupplier nanos;
    private final Judge judge;
    private final Map<String, Block> blocks = new TreeMap<>();
    private final Map<String, Request> requests = new TreeMap<>();
    private final Map<String, Pool> pools = new TreeMap<>();
    private final Map<String, String> nodes = new TreeMap<>();
    private final Map<String, Long> nodeGone = new HashMap<>();
    private final Map<String, Long> outOfService = new HashMap<>();
    private boolean changed;
    private boolean blocksChanged;
    private long granted;

    public Facts(LongSupplier nanos, Judge judge) {
        this.nanos = nanos;
        this.judge = judge;
    }

    @Override
    public void committed(Change change) {
        StoredObject after = change.after();
        switch (after.type().plural()) {
            case "addressblocks" -> block(change, after);
            case "blockrequests" -> request(change, after);
            case "addresspools" -> pool(change, after);
            case "nodes" -> node(change, after);
            default -> {
                return;
            }
        }
        changed = true;
    }

    private void block(Change change, StoredObject after) {
        Block known = blocks.get(after.name());
        Block now = read(after, known);
        Block before = change.deleted() ? blocks.remove(now.name()) : blocks.put(now.name(), now);
        blocksChanged = true;
        if (before == null) {
            granted++;
        }
        judge.blockWritten(before, now, change.deleted());
    }

    private Block read(StoredObject object, @Nullable Block known) {
        JsonNode tree = object.tree();
        JsonNode labels = object.labels();
        String poolUid = object.owners().isEmpty() ? null : object.owners().getFirst();
        boolean late = known == null ? poolUid != null && !hasPool(poolUid) : known.late();
        return new Block(
                object.name(),
                object.uid(),
                text(labels, Names.NODE),
                text(labels, Names.POOL),
                poolUid,
                text(labels, Names.REQUEST),
                tree.path("index").asInt(-1),
                range(text(tree, "ipv4"), text(tree, "ipv6")),
                object.deleting(),
                late);
    }

    private static @Nullable BlockRange range(@Nullable String ipv4, @Nullable String ipv6) {
        try {
            return BlockRange.parse(ipv4, ipv6);
        } catch (InvalidAddressException e) {
            return null;
        }
    }

    private static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.stringValue() : null;
    }

    private void request(Change change, StoredObject after) {
        JsonNode spec = after.tree().path("spec");
        Request now =
                new Request(
                        after.name(),
                        after.uid(),
                        spec.path("nodeName").asString(""),
                        spec.path("poolName").asString(""),
                        failure(after.tree().path("status").path("conditions")));
        if (change.deleted()) {
            requests.remove(now.name());
        } else {
            requests.put(now.name(), now);
        }
        judge.requestWritten(now, change.deleted());
    }

    private static @Nullable String failure(JsonNode conditions) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals("Failed")) {
                return condition.path("reason").asString("");
            }
        }
        return null;
    }

    private void pool(Change change, StoredObject after) {
        if (change.deleted()) {
            pools.remove(after.name());
        } else {
            int bits = after.tree().path("spec").path("blockSizeBits").asInt(5);
            pools.put(after.name(), new Pool(after.name(), after.uid(), after.deleting(), bits));
        }
    }

    private void node(Change change, StoredObject after) {
        if (after.tree().path("spec").path("taints").toString().contains("out-of-service")) {
            outOfService.put(after.name(), nanos.getAsLong());
        }
        if (change.deleted()) {
            nodes.remove(after.name());
            nodeGone.put(after.name(), nanos.getAsLong());
        } else {
            if (nodes.put(after.name(), after.uid()) == null
                    && nodeGone.containsKey(after.name())) {
                nodeGone.put(after.name(), nanos.getAsLong()); // it was, up to now
            }
        }
    }

    /** Whether anything was written since the last time of asking. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    boolean takeBlocksChanged() {
        boolean was = blocksChanged;
        blocksChanged = false;
        return was;
    }

    public Collection<Block> blocks() {
        return blocks.values();
    }

    public Collection<Request> requests() {
        return requests.values();
    }

    public Collection<Pool> pools() {
        return pools.values();
    }

    public @Nullable Pool pool(String name) {
        return pools.get(name);
    }

    /** Whether a pool of that UID is there. */
    public boolean hasPool(String uid) {
        return pools.values().stream().anyMatch(p -> p.uid().equals(uid));
    }

    public boolean hasNode(String name) {
        return nodes.containsKey(name);
    }

    /** Whether somebody has said that the machine is off, at some time since then. */
    boolean wasOutOfService(String name, long since) {
        Long said = outOfService.get(name);
        return said != null && said >= since;
    }

    /** Whether no Node of that name was there at some time since then. */
    boolean wasWithoutNode(String name, long since) {
        Long gone = nodeGone.get(name);
        return !nodes.containsKey(name) || (gone != null && gone >= since);
    }

    /** Blocks that were ever made. */
    public long granted() {
        return granted;
    }
}
