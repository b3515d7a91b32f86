package io.coil.core.holdings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Which blocks nobody needs: empty beyond linger and spares, not reserved, cooled down, and no pod
 * waits for their pool.
 */
final class SurplusRule {
    private final HeldBlocks blocks;
    private final Demand demand;
    private final long lingerNanos;

    SurplusRule(HeldBlocks blocks, Demand demand, long lingerNanos) {
        this.blocks = blocks;
        this.demand = demand;
        this.lingerNanos = lingerNanos;
    }

    Surplus look(Function<String, PoolTerms> termsOf, long nowNanos) {
        List<HeldBlock> empty = emptyFirst(nowNanos);
        Map<String, Integer> kept = new HashMap<>();
        for (HeldBlock block : empty) {
            if (block.gives(termsOf.apply(block.id.pool()).uid())) {
                kept.merge(block.id.pool(), 1, Integer::sum);
            }
        }
        List<Surplus.Due> due = new ArrayList<>();
        long next = Long.MAX_VALUE;
        for (HeldBlock block : empty) {
            PoolTerms terms = termsOf.apply(block.id.pool());
            boolean ending = endingFor(block, terms);
            long at = dueAt(block, ending, nowNanos);
            if (at - nowNanos > 0) {
                next = Math.min(next, at);
                continue;
            }
            int others = kept.getOrDefault(block.id.pool(), 0);
            if (!ending && others <= terms.spares()) {
                continue;
            }
            if (block.gives(terms.uid())) {
                kept.merge(block.id.pool(), -1, Integer::sum);
            }
            due.add(
                    new Surplus.Due(
                            block.view(terms, nowNanos),
                            block.beingDeleted || terms.state() == PoolTerms.State.GONE,
                            Evidence.surplus(block, terms, ending, lingerOf(block), nowNanos)));
        }
        return new Surplus(List.copyOf(due), next);
    }

    /** Those empty for longest first. */
    private List<HeldBlock> emptyFirst(long nowNanos) {
        return blocks.all().stream()
                .filter(HeldBlock::empty)
                .filter(HeldBlock::stays)
                .filter(b -> !b.id.reserved() || b.beingDeleted)
                .sorted(Comparator.comparingLong((HeldBlock b) -> b.emptySinceNanos - nowNanos))
                .toList();
    }

    /** What is being deleted, drained, or without its pool goes as soon as it is empty. */
    private static boolean endingFor(HeldBlock block, PoolTerms terms) {
        return terms.ending()
                || block.drainAsked
                || block.state == BlockState.DRAINING
                || !block.isOf(terms.uid());
    }

    private long lingerOf(HeldBlock block) {
        return block.range().capacity() == 1 ? 0 : lingerNanos;
    }

    /** When it may go back, as far as is known now. */
    private long dueAt(HeldBlock block, boolean ending, long nowNanos) {
        String pool = block.id.pool();
        if (!ending && demand.exists(pool, nowNanos)) {
            return demand.endsAtNanos(pool, nowNanos) + 1;
        }
        long at = block.emptySinceNanos + (ending ? 0 : lingerOf(block));
        Long cool = block.allCoolAtNanos(nowNanos);
        return cool == null || cool - at < 0 ? at : cool;
    }
}
