package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * Everything that a node holds, as one aggregate: its blocks, what is assigned from them, who
 * waits, what goes back.
 *
 * <p>Not thread-safe. The agent owns the one instance and guards every call with one lock, which it
 * never holds across I/O; so each method decides and records in one step. Times are nanoseconds of
 * the agent's monotonic clock.
 */
public final class NodeHoldings {
    private final HeldBlocks blocks = new HeldBlocks();
    private final AssignmentTable assignments = new AssignmentTable();
    private final BlockReturns returns = new BlockReturns(blocks);
    private final Restoring restoring = new Restoring(blocks, assignments);
    private final Demand demand;
    private final SurplusRule surplus;

    /**
     * Nothing held yet.
     *
     * @param lingerNanos how long an empty block of more than one address is kept
     * @param holdNanos how long a pod whose ADD failed still counts as demand
     */
    public NodeHoldings(long lingerNanos, long holdNanos) {
        this.demand = new Demand(holdNanos);
        this.surplus = new SurplusRule(blocks, demand, lingerNanos);
    }

    /** Who waits for an address. */
    public Demand demand() {
        return demand;
    }

    /** The blocks themselves, to look at. */
    public HeldBlocks held() {
        return blocks;
    }

    /** What is on its way back. */
    public BlockReturns returns() {
        return returns;
    }

    /** What a starting agent puts back. */
    public Restoring restoring() {
        return restoring;
    }

    /** Blocks that nobody needs. */
    public Surplus surplus(Function<String, PoolTerms> termsOf, long nowNanos) {
        return surplus.look(termsOf, nowNanos);
    }

    // ------------------------------------------------------------------ blocks come and go

    /**
     * Takes a block into use that was just read live. Its route must be exported before, if it is
     * to serve.
     *
     * @return false if this very block is held already; it then learns the facts
     */
    public boolean adopt(BlockIdentity id, BlockFacts facts, long nowNanos) {
        HeldBlock held = blocks.named(id.name());
        if (held != null && held.id.uid().equals(id.uid())) {
            held.learn(id, facts);
            return false;
        }
        if (held != null) {
            throw new IllegalStateException(
                    "block %s is held with uid %s; forget it first"
                            .formatted(id.name(), held.id.uid()));
        }
        HeldBlock block = new HeldBlock(id, facts, nowNanos);
        blocks.add(block);
        restoring.settleIn(block);
        return true;
    }

    /**
     * No new address of this block from now on: a live read said that it is not there any more, or
     * not ours, and its route is about to be withdrawn.
     */
    public void stopGiving(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block != null) {
            block.stopGiving();
        }
    }

    /**
     * The block is not there any more, a live read said. Returns the assignments that it leaves
     * without a block.
     */
    public List<Assignment> forget(String name, String uid) {
        HeldBlock block = blocks.held(name, uid);
        if (block == null) {
            return List.of();
        }
        blocks.remove(block);
        List<Assignment> left = assignments.ofBlock(name);
        left.forEach(a -> assignments.put(a.in(a.pool(), Assignment.NO_BLOCK, 0)));
        return List.copyOf(left);
    }

    // ------------------------------------------------------------------ addresses

    /**
     * Gives an address of the pool: of the fullest block that has room, and in it the one behind
     * that given last, so that what was just freed comes last.
     */
    public Assign assign(
            ContainerKey key, PodRef pod, String pool, PoolTerms terms, long nowNanos) {
        Assignment present = assignments.get(key);
        if (present != null) {
            Assignment known = present.of(pod);
            assignments.put(known);
            demand.satisfied(pod);
            return new Assign.Held(known);
        }
        if (terms.whyNot() != null) {
            demand.dropped(pool);
            return new Assign.Refused(terms.whyNot());
        }
        HeldBlock fullest = fullest(pool, terms, nowNanos);
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
        assignments.put(given);
        demand.satisfied(pod);
        return new Assign.Assigned(given);
    }

    private @Nullable HeldBlock fullest(String pool, PoolTerms terms, long nowNanos) {
        HeldBlock fullest = null;
        List<HeldBlock> candidates = blocks.of(pool);
        for (int i = 0; i < candidates.size(); i++) {
            HeldBlock block = candidates.get(i);
            if (block.gives(terms.uid())
                    && block.hasRoom(nowNanos)
                    && (fullest == null || block.assigned > fullest.assigned)) {
                fullest = block;
            }
        }
        return fullest;
    }

    private @Nullable Long coolAt(String pool, PoolTerms terms, long nowNanos) {
        Long first = null;
        for (HeldBlock block : blocks.of(pool)) {
            Long at = block.gives(terms.uid()) ? block.coolAtNanos(nowNanos) : null;
            if (at != null && (first == null || at - first < 0)) {
                first = at;
            }
        }
        return first;
    }

    /** The link is there: from now on its absence is evidence. */
    public void attached(ContainerKey key) {
        Assignment given = assignments.get(key);
        if (given != null) {
            assignments.put(given.asAttached());
        }
    }

    /** Frees what this interface holds; null if nothing. Never touches what another has. */
    public @Nullable Assignment free(
            ContainerKey key, Function<String, PoolTerms> terms, long nowNanos) {
        Assignment freed = assignments.remove(key);
        if (freed == null) {
            return null;
        }
        HeldBlock block = blocks.named(freed.block());
        if (block != null) {
            block.free(freed.offset(), nowNanos, terms.apply(freed.pool()).reuseDelay().toNanos());
        }
        return freed;
    }

    public @Nullable Assignment assignment(ContainerKey key) {
        return assignments.get(key);
    }

    public List<Assignment> assignments() {
        return assignments.all();
    }

    // ------------------------------------------------------------------ looking

    /** Whether something of this pool could be given at once. */
    public boolean hasRoom(String pool, PoolTerms terms, long nowNanos) {
        return fullest(pool, terms, nowNanos) != null;
    }

    /** Whether an address of any pool could be given at once. */
    public boolean hasRoom(Function<String, PoolTerms> termsOf, long nowNanos) {
        return blocks.pools().stream()
                .anyMatch(
                        pool -> {
                            PoolTerms terms = termsOf.apply(pool);
                            return terms.whyNot() == null && hasRoom(pool, terms, nowNanos);
                        });
    }
}
