package io.coil.core.grant;

import io.coil.core.ledger.Choice;
import io.coil.core.ledger.PoolLedger;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolRules;
import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * The controller's next step for one request. Each step may be repeated, by any leader, after a
 * crash at any point.
 */
public sealed interface GrantDecision {

    /** A block was chosen before: create it (or find it created), then complete the request. */
    record FinishIntent(String blockName, int index, BlockRange range) implements GrantDecision {}

    /**
     * Record this block's name in the request's status, by compare-and-swap and once only; then as
     * {@link FinishIntent}. The index is not reserved yet: do that under the guard of the ledger.
     */
    record RecordIntent(String blockName, int index, BlockRange range) implements GrantDecision {}

    /** Write the condition Failed. The message is a sentence for the owner of the pod. */
    record Fail(FailReason reason, String message) implements GrantDecision {}

    /** Leave it alone. */
    record Nothing(String why) implements GrantDecision {}

    /**
     * Decides in the order of the protocol.
     *
     * @param pool null if there is no pool of that name
     * @param ledger rebuilt from a consistent list; the caller holds its guard
     */
    static GrantDecision decide(RequestView request, @Nullable PoolView pool, PoolLedger ledger) {
        if (request.finished()) {
            return new Nothing("the request is finished: a condition is final");
        }
        if (request.beingDeleted()) {
            return new Nothing("the request is being deleted");
        }
        Optional<Fail> tooLong = nameTooLong(request);
        if (tooLong.isPresent()) {
            return tooLong.get();
        }
        if (pool == null) {
            return new Fail(FailReason.UNKNOWN_POOL, "there is no pool named " + request.pool());
        }
        if (pool.beingDeleted()) {
            return new Fail(
                    FailReason.POOL_BEING_DELETED,
                    "pool %s is being deleted: it gives no blocks".formatted(request.pool()));
        }
        return switch (pool.reading()) {
            case PoolReading.NotUnderstood(var violations) ->
                    new Fail(
                            FailReason.POOL_INVALID,
                            "pool %s cannot be used: %s"
                                    .formatted(request.pool(), violations.getFirst()));
            case PoolReading.Understood(PoolSpec spec) -> {
                // An intent goes before everything else: its block may exist already, and is the
                // one that makes the pool full, or reaches the node's limit.
                String intent = request.intent();
                yield intent != null
                        ? finish(intent, spec, ledger)
                        : begin(request, pool, spec, ledger);
            }
        };
    }

    private static GrantDecision finish(String intent, PoolSpec spec, PoolLedger ledger) {
        BlockName name = BlockName.parse(intent).orElse(null);
        if (name == null || !name.pool().equals(spec.name()) || !spec.hasBlock(name.index())) {
            return new Fail(
                    FailReason.INDEX_TAKEN,
                    "block %s was chosen, but pool %s has no such block (any more)"
                            .formatted(intent, spec.name()));
        }
        BlockRange range = spec.blockAt(name.index());
        if (ledger.block(intent).isPresent()) {
            // It exists, and if it is ours the request must not fail for want of it.
            return new FinishIntent(intent, name.index(), range);
        }
        return ledger.obstacle(intent, range)
                .<GrantDecision>map(
                        other ->
                                new Fail(
                                        FailReason.INDEX_TAKEN,
                                        "block %s (%s) was chosen, but meets the block %s"
                                                .formatted(intent, range, other)))
                .orElseGet(() -> new FinishIntent(intent, name.index(), range));
    }

    private static GrantDecision begin(
            RequestView request, PoolView pool, PoolSpec spec, PoolLedger ledger) {
        if (pool.drained()) {
            return new Fail(
                    FailReason.POOL_DRAINED,
                    "pool %s is being drained: it gives no blocks".formatted(spec.name()));
        }
        int held = ledger.count(spec.name(), request.node());
        if (pool.maxBlocksPerNode().isPresent() && held >= pool.maxBlocksPerNode().getAsInt()) {
            return new Fail(
                    FailReason.NODE_LIMIT,
                    "node %s has %d blocks of pool %s, the limit per node is %d"
                            .formatted(
                                    request.node(),
                                    held,
                                    spec.name(),
                                    pool.maxBlocksPerNode().getAsInt()));
        }
        return switch (ledger.choose(spec)) {
            case Choice.Chosen(int index, BlockRange range) ->
                    new RecordIntent(PoolSpec.blockName(spec.name(), index), index, range);
            case Choice.Exhausted(var usage) -> new Fail(FailReason.EXHAUSTED, usage.sentence());
        };
    }

    /** Both names become label values of the block. */
    private static Optional<Fail> nameTooLong(RequestView request) {
        String what =
                request.node().length() > PoolRules.LABEL_LIMIT
                        ? "node name " + request.node()
                        : "pool name " + request.pool();
        int length = Math.max(request.node().length(), request.pool().length());
        return length <= PoolRules.LABEL_LIMIT
                ? Optional.empty()
                : Optional.of(
                        new Fail(
                                FailReason.NAME_TOO_LONG,
                                "the %s is longer than %d characters and cannot be a label value of a block"
                                        .formatted(what, PoolRules.LABEL_LIMIT)));
    }
}
