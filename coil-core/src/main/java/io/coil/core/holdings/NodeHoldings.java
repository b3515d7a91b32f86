package io.coil.core.holdings;

import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Everything that a node holds, as one aggregate: its blocks, what is assigned from them, who
 * waits.
 *
 * <p>Not thread-safe. The agent owns the one instance and guards every call with one lock, which it
 * never holds across I/O; so each method decides and records in one step. Times are nanoseconds of
 * the agent's monotonic clock.
 */
public final class NodeHoldings {
    private static final List<HeldBlock> NONE = List.of();

    private final Map<String, HeldBlock> blocks = new TreeMap<>();
    private final Map<String, List<HeldBlock>> byPool = new HashMap<>();
    private final Map<ContainerKey, Assignment> assignments = new HashMap<>();
    private final Demand demand;
    private final long lingerNanos;

    /**
     * Nothing held yet.
     *
     * @param lingerNanos how long an empty block of more than one address is kept
     * @param holdNanos how long a pod whose ADD failed still counts as demand
     */
    public NodeHoldings(long lingerNanos, long holdNanos) {
        this.lingerNanos = lingerNanos;
        this.demand = new Demand(holdNanos);
    }

    public Demand demand() {
        return demand;
    }

    // ------------------------------------------------------------------ blocks come and go

    /**
     * Takes a block into use that was just read live. Its route must be exported before, if it is
     * to serve.
     *
     * @return false if this very block is held already; it then learns the facts
     */
    public boolean adopt(BlockIdentity id, BlockFacts facts, long nowNanos) {
        HeldBlock held = blocks.get(id.name());
        if (held != null && held.id.uid().equals(id.uid())) {
            held.learn(facts);
            return false;
        }
        if (held != null) {
            throw new IllegalStateException(
                    "block %s is held with uid %s; forget it first"
                            .formatted(id.name(), held.id.uid()));
        }
        HeldBlock block = new HeldBlock(id, facts, nowNanos);
        blocks.put(id.name(), block);
        byPool.computeIfAbsent(id.pool(), p -> new ArrayList<>()).add(block);
        for (Assignment homeless : assignmentsOf(Assignment.NO_BLOCK)) {
            settle(homeless, block);
        }
        return true;
    }

    /**
     * The block is not there any more, a live read said. Returns the assignments that it leaves
     * without a block.
     */
    public List<Assignment> forget(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block == null) {
            return List.of();
        }
        blocks.remove(name);
        byPool.computeIfPresent(
                block.id.pool(),
                (pool, list) -> {
                    list.remove(block);
                    return list.isEmpty() ? null : list;
                });
        List<Assignment> left = assignmentsOf(name);
        left.forEach(a -> assignments.put(a.key(), a.in(a.pool(), Assignment.NO_BLOCK, 0)));
        return left;
    }

    /**
     * Puts an assignment in place that the kernel shows at start. One whose address lies in no held
     * block is remembered without one, so that the address is not given to another when such a
     * block comes.
     *
     * @return whether it has found its block
     */
    public boolean restore(
            ContainerKey key,
            @Nullable PodRef pod,
            String pool,
            List<Address> addresses,
            long nowNanos) {
        if (addresses.isEmpty() || assignments.containsKey(key)) {
            return false;
        }
        Assignment homeless =
                new Assignment(key, pod, pool, Assignment.NO_BLOCK, 0, addresses, nowNanos, true);
        assignments.put(key, homeless);
        return blocks.values().stream().anyMatch(block -> settle(homeless, block));
    }

    /**
     * Gives an assignment without a block its place in this one, if its address lies there and
     * nobody else has it.
     */
    private boolean settle(Assignment homeless, HeldBlock block) {
        OptionalLong offset = block.range().offsetOf(homeless.addresses().getFirst());
        if (offset.isEmpty() || !block.takeExact(offset.getAsLong())) {
            return false;
        }
        assignments.put(
                homeless.key(), homeless.in(block.id.pool(), block.id.name(), offset.getAsLong()));
        return true;
    }

    // ------------------------------------------------------------------ addresses

    /**
     * Gives an address of the pool: of the fullest block that has room, and in it the one not used
     * for longest.
     */
    public Assign assign(
            ContainerKey key, PodRef pod, String pool, PoolTerms terms, long nowNanos) {
        Assignment present = assignments.get(key);
        if (present != null) {
            Assignment known = present.of(pod);
            assignments.put(key, known);
            demand.satisfied(pod);
            return new Assign.Held(known);
        }
        if (terms.whyNot() != null) {
            demand.dropped(pool);
            return new Assign.Refused(terms.whyNot());
        }
        HeldBlock fullest = null;
        for (HeldBlock block : blocksOf(pool)) {
            if (block.gives(terms.uid())
                    && block.hasRoom(nowNanos)
                    && (fullest == null || block.assigned > fullest.assigned)) {
                fullest = block;
            }
        }
        if (fullest == null) {
            demand.asked(pool, pod, nowNanos);
            return new Assign.NoRoom(coolAt(pool, terms, nowNanos));
        }
        long offset = fullest.take();
        Assignment given =
                new Assignment(
                        key,
                        pod,
                        pool,
                        fullest.id.name(),
                        offset,
                        fullest.range().addressesAt(offset),
                        nowNanos,
                        false);
        assignments.put(key, given);
        demand.satisfied(pod);
        return new Assign.Assigned(given);
    }

    private @Nullable Long coolAt(String pool, PoolTerms terms, long nowNanos) {
        Long first = null;
        for (HeldBlock block : blocksOf(pool)) {
            Long at = block.gives(terms.uid()) ? block.coolAtNanos(nowNanos) : null;
            if (at != null && (first == null || at - first < 0)) {
                first = at;
            }
        }
        return first;
    }

    /** The link is there: from now on its absence is evidence. */
    public void attached(ContainerKey key) {
        assignments.computeIfPresent(key, (k, a) -> a.asAttached());
    }

    /**
     * Frees what this interface holds; empty if nothing. Never touches what another container has.
     */
    public Optional<Assignment> free(
            ContainerKey key, Function<String, PoolTerms> terms, long nowNanos) {
        Assignment freed = assignments.remove(key);
        if (freed == null) {
            return Optional.empty();
        }
        HeldBlock block = blocks.get(freed.block());
        if (block != null) {
            block.free(freed.offset(), nowNanos, terms.apply(freed.pool()).reuseDelay().toNanos());
        }
        return Optional.of(freed);
    }

    public @Nullable Assignment assignment(ContainerKey key) {
        return assignments.get(key);
    }

    public List<Assignment> assignments() {
        return List.copyOf(assignments.values());
    }

    // ------------------------------------------------------------------ back

    /**
     * Blocks that nobody needs: empty beyond linger and spares, not reserved, cooled down, and no
     * pod waits for their pool.
     */
    public Surplus surplus(Function<String, PoolTerms> termsOf, long nowNanos) {
        List<Surplus.Due> due = new ArrayList<>();
        long next = Long.MAX_VALUE;
        Map<String, Integer> kept = new HashMap<>();
        List<HeldBlock> empty =
                blocks.values().stream()
                        .filter(HeldBlock::empty)
                        .filter(b -> !b.id.reserved())
                        .sorted(
                                Comparator.comparingLong(
                                        (HeldBlock b) -> b.emptySinceNanos - nowNanos))
                        .toList();
        for (HeldBlock block : empty) {
            if (block.state == BlockState.SERVING) {
                kept.merge(block.id.pool(), 1, Integer::sum);
            }
        }
        for (HeldBlock block : empty) {
            if (block.state != BlockState.SERVING && block.state != BlockState.DRAINING) {
                continue; // on its way already
            }
            PoolTerms terms = termsOf.apply(block.id.pool());
            boolean ending = endingFor(block, terms);
            if (!ending && demand.exists(block.id.pool(), nowNanos)) {
                next = Math.min(next, demand.endsAtNanos(block.id.pool(), nowNanos) + 1);
                continue;
            }
            long at = dueAt(block, ending, nowNanos);
            if (at - nowNanos > 0) {
                next = Math.min(next, at);
                continue;
            }
            int others = kept.getOrDefault(block.id.pool(), 0);
            if (!ending && others <= terms.spares()) {
                continue;
            }
            if (block.state == BlockState.SERVING) {
                kept.merge(block.id.pool(), -1, Integer::sum);
            }
            due.add(
                    new Surplus.Due(
                            view(block, terms, nowNanos),
                            Evidence.surplus(block, terms, ending, lingerOf(block), nowNanos)));
        }
        return new Surplus(List.copyOf(due), next);
    }

    /**
     * Stops giving from an empty block, so that it can be given back. The caller has just found it
     * in {@link #surplus} under the same hold of the lock, or asks for a block whose deletion is
     * wanted in any case.
     *
     * @return false if it is not empty, or already on its way
     */
    public boolean beginReturn(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block == null
                || !block.empty()
                || (block.state != BlockState.SERVING && block.state != BlockState.DRAINING)) {
            return false;
        }
        block.state = BlockState.RETURNING;
        return true;
    }

    /**
     * To be called right before a DELETE is sent; false if the block is wanted again, or not held
     * any more.
     */
    public boolean deleteIsSent(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block == null || block.keeping) {
            return false;
        }
        if (block.state == BlockState.RETURNING || block.state == BlockState.DELETING) {
            block.state = BlockState.DELETING;
            return true;
        }
        return false;
    }

    /**
     * Keeps a block of this pool that is on its way back, if no DELETE was sent. It gives nothing
     * until the caller has exported its route and calls {@link #serveAgain}. Returns its identity,
     * or null if there is none to keep.
     */
    public @Nullable BlockIdentity keep(String pool) {
        for (HeldBlock block : blocksOf(pool)) {
            if (block.state == BlockState.RETURNING && !block.keeping && !block.drainAsked) {
                block.keeping = true;
                return block.id;
            }
        }
        return null;
    }

    /** The route of a block that was kept is there again. */
    public void serveAgain(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block != null && block.keeping) {
            block.keeping = false;
            block.state = BlockState.SERVING;
        }
    }

    /**
     * The route of a block that was to be kept could not be exported: it drains, and is given back
     * after all.
     */
    public void letGo(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block != null && block.keeping) {
            block.keeping = false;
            block.state = BlockState.DRAINING;
        }
    }

    /** Whether it is on its way back and nobody wants it again. */
    public boolean onItsWay(String name, String uid) {
        HeldBlock block = held(name, uid);
        return block != null
                && !block.keeping
                && (block.state == BlockState.RETURNING || block.state == BlockState.DELETING);
    }

    /** An attempt to give it back has failed: worth reporting. */
    public void returnFailed(String name, String uid) {
        HeldBlock block = held(name, uid);
        if (block != null) {
            block.returnFailed = true;
        }
    }

    // ------------------------------------------------------------------ looking

    /**
     * Whether a block of this pool is on its way back: a request now would be answered before its
     * address is free.
     */
    public boolean returning(String pool) {
        return blocksOf(pool).stream()
                .anyMatch(
                        b ->
                                !b.keeping
                                        && (b.state == BlockState.RETURNING
                                                || b.state == BlockState.DELETING));
    }

    /** UID of the block held under this name, or null. */
    public @Nullable String heldUid(String name) {
        HeldBlock block = blocks.get(name);
        return block == null ? null : block.id.uid();
    }

    public List<BlockIdentity> identities() {
        return blocks.values().stream().map(b -> b.id).toList();
    }

    /**
     * Whether what a watch shows of a block is no news. A block on its way back is known to be
     * deleted.
     */
    public boolean knows(String name, String uid, boolean beingDeleted, boolean drainAsked) {
        HeldBlock block = held(name, uid);
        return block != null
                && (!beingDeleted || block.beingDeleted || block.state == BlockState.DELETING)
                && block.drainAsked == drainAsked;
    }

    /** Whether something of this pool could be given at once. */
    public boolean hasRoom(String pool, PoolTerms terms, long nowNanos) {
        return blocksOf(pool).stream().anyMatch(b -> b.gives(terms.uid()) && b.hasRoom(nowNanos));
    }

    public Optional<BlockView> block(
            String name, Function<String, PoolTerms> termsOf, long nowNanos) {
        return Optional.ofNullable(blocks.get(name))
                .map(b -> view(b, termsOf.apply(b.id.pool()), nowNanos));
    }

    /** All blocks, by name. */
    public List<BlockView> blocks(Function<String, PoolTerms> termsOf, long nowNanos) {
        Map<String, Integer> spares = new HashMap<>();
        List<BlockView> views = new ArrayList<>();
        for (HeldBlock block : blocks.values()) {
            PoolTerms terms = termsOf.apply(block.id.pool());
            BlockView view = view(block, terms, nowNanos);
            if (view.spare()) {
                int before = spares.merge(block.id.pool(), 1, Integer::sum);
                if (before > terms.spares()) {
                    view = view.notSpare();
                }
            }
            views.add(view);
        }
        return List.copyOf(views);
    }

    private @Nullable HeldBlock held(String name, String uid) {
        HeldBlock block = blocks.get(name);
        return block != null && block.id.uid().equals(uid) ? block : null;
    }

    private List<HeldBlock> blocksOf(String pool) {
        return byPool.getOrDefault(pool, NONE);
    }

    private BlockView view(HeldBlock b, PoolTerms terms, long nowNanos) {
        return new BlockView(
                b.id,
                b.state,
                b.beingDeleted,
                b.drainAsked,
                b.assigned,
                b.empty() ? Math.max(0, nowNanos - b.emptySinceNanos) : 0,
                b.range().capacity() <= 256 ? HexFormat.of().formatHex(b.addresses.bitmap()) : null,
                b.empty() && b.state == BlockState.SERVING && terms.spares() > 0,
                b.returnFailed);
    }

    private List<Assignment> assignmentsOf(String block) {
        return assignments.values().stream().filter(a -> a.block().equals(block)).toList();
    }

    /** What is being deleted, drained, or without its pool goes as soon as it is empty. */
    private static boolean endingFor(HeldBlock block, PoolTerms terms) {
        return terms.ending()
                || block.drainAsked
                || block.state == BlockState.DRAINING
                || (block.id.poolUid() != null && !block.id.poolUid().equals(terms.uid()));
    }

    private long lingerOf(HeldBlock block) {
        return block.range().capacity() == 1 ? 0 : lingerNanos;
    }

    private long dueAt(HeldBlock block, boolean ending, long nowNanos) {
        long at = block.emptySinceNanos + (ending ? 0 : lingerOf(block));
        Long cool = block.allCoolAtNanos(nowNanos);
        return cool == null || cool - at < 0 ? at : cool;
    }
}
