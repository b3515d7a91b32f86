package io.coil.controller.pool;

import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenPool;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Condition;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is to be said of a pool, in conditions: why, and what a person can do about it. */
final class PoolConditions {
    static final String READY = "Ready";
    static final String EXHAUSTED = "Exhausted";
    static final String DELETING = "Deleting";
    static final String OVERLAPPING = "Overlapping";

    // reasons
    static final String INVALID = "Invalid";
    static final String DRAINED = "Drained";
    static final String BLOCKS_LEFT = "BlocksLeft";
    static final String SHARES_ADDRESSES = "SharesAddresses";
    static final String HAS_BLOCKS = "HasBlocks";

    private static final int POOLS_NAMED = 5;

    private PoolConditions() {}

    /** A pool that shares addresses with this one, and where. */
    record Overlap(String pool, String ours, String theirs) {}

    static V1Condition ready(SeenPool pool) {
        if (pool.beingDeleted()) {
            return no(READY, "Deleting", "the pool is being deleted: it gives no blocks");
        }
        return pool.switches().drain()
                ? no(
                        READY,
                        DRAINED,
                        "the annotation %s is true: the pool gives no blocks and no new addresses"
                                .formatted(Names.DRAIN))
                : yes(READY, "Serving", "the pool gives blocks to nodes");
    }

    static V1Condition invalid(String why) {
        return no(READY, INVALID, why + ": the pool gives no blocks; make a new one");
    }

    /**
     * @param usage who has the blocks, as a sentence
     * @param leaks how many of them look as if nobody used them and nobody gave them back
     */
    static V1Condition exhausted(boolean exhausted, String usage, long leaks) {
        if (!exhausted) {
            return no(EXHAUSTED, BLOCKS_LEFT, "");
        }
        String todo = leaks > 0 ? "start a collection, or add a subnet" : "add a subnet";
        return yes(
                EXHAUSTED,
                "NoBlockLeft",
                "%s, %s: %s".formatted(usage, LeakCandidates.sentence(leaks), todo));
    }

    static V1Condition overlapping(List<Overlap> overlaps) {
        if (overlaps.isEmpty()) {
            return no(OVERLAPPING, "NoOverlap", "");
        }
        String pools =
                overlaps.stream()
                        .limit(POOLS_NAMED)
                        .map(o -> "%s (%s meets %s)".formatted(o.pool(), o.ours(), o.theirs()))
                        .collect(Collectors.joining(", "));
        String more =
                overlaps.size() > POOLS_NAMED
                        ? " and %d more".formatted(overlaps.size() - POOLS_NAMED)
                        : "";
        return yes(
                OVERLAPPING,
                SHARES_ADDRESSES,
                "shares addresses with %s%s: what one has granted, the other cannot; keep one of them"
                        .formatted(pools, more));
    }

    /** Empty while nobody has deleted the pool. */
    static Optional<V1Condition> deleting(SeenPool pool, Holders holders) {
        if (!pool.beingDeleted()) {
            return Optional.empty();
        }
        if (holders.isNobody()) {
            return Optional.of(
                    yes(
                            DELETING,
                            "NoBlocks",
                            pool.guarded()
                                    ? "deleting, no block holds it"
                                    : "deleting, no block holds it: it waits for the finalizers of others"));
        }
        return Optional.of(
                yes(
                        DELETING,
                        HAS_BLOCKS,
                        "deleting, held by %s: it goes when their pods have gone"
                                .formatted(holders.sentence())));
    }

    /** A condition keeps its time while its status stays. */
    static List<V1Condition> since(
            List<V1Condition> conditions,
            AddressPool.@Nullable Status before,
            long generation,
            Instant now) {
        List<V1Condition> complete = new ArrayList<>();
        for (V1Condition condition : conditions) {
            complete.add(
                    condition
                            .observedGeneration(generation)
                            .lastTransitionTime(
                                    find(before, condition.getType())
                                            .filter(
                                                    c ->
                                                            condition
                                                                    .getStatus()
                                                                    .equals(c.getStatus()))
                                            .map(V1Condition::getLastTransitionTime)
                                            .orElseGet(() -> now.atOffset(ZoneOffset.UTC))));
        }
        return List.copyOf(complete);
    }

    static Optional<V1Condition> find(AddressPool.@Nullable Status status, String type) {
        return all(status).stream().filter(c -> type.equals(c.getType())).findFirst();
    }

    /** Whether they say the same; since when does not count. */
    static boolean same(AddressPool.Status a, AddressPool.Status b) {
        return texts(a).equals(texts(b));
    }

    private record Text(String type, String status, String reason, String message, Long seen) {}

    private static List<Text> texts(AddressPool.Status status) {
        return all(status).stream()
                .map(
                        c ->
                                new Text(
                                        c.getType(),
                                        c.getStatus(),
                                        c.getReason(),
                                        c.getMessage(),
                                        Objects.requireNonNullElse(c.getObservedGeneration(), -1L)))
                .toList();
    }

    static List<V1Condition> all(AddressPool.@Nullable Status status) {
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    private static V1Condition yes(String type, String reason, String message) {
        return new V1Condition().type(type).status("True").reason(reason).message(message);
    }

    private static V1Condition no(String type, String reason, String message) {
        return new V1Condition().type(type).status("False").reason(reason).message(message);
    }
}
