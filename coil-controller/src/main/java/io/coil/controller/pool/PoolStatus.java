package io.coil.controller.pool;

import io.coil.controller.view.SeenPool;
import io.coil.core.ledger.PoolUsage;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.resource.AddressPool;
import io.kubernetes.client.openapi.models.V1Condition;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** How a pool is, as numbers and conditions. A function of what is known. */
final class PoolStatus {
    static final String READY = "Ready";
    static final String EXHAUSTED = "Exhausted";
    static final String DELETING = "Deleting";
    static final String OVERLAPPING = "Overlapping";

    private PoolStatus() {}

    /**
     * What was counted.
     *
     * @param addressesUsed in the agents' reports; those of reserved blocks all count
     * @param blocksLeaving with a deletionTimestamp, or on their way back
     * @param overlapping names of pools that share addresses with it
     */
    record Counts(
            PoolUsage blocks,
            BigInteger addressesUsed,
            long blocksLeaving,
            BigInteger addressesLeaving,
            List<String> overlapping) {}

    static AddressPool.Status of(SeenPool pool, PoolSpec spec, Counts counts, Instant now) {
        BigInteger used = BigInteger.valueOf(counts.blocks().used());
        AddressPool.Count blocks =
                count(spec.blocks(), used, BigInteger.valueOf(counts.blocksLeaving()));
        AddressPool.Count addresses =
                count(spec.addresses(), counts.addressesUsed(), counts.addressesLeaving());
        boolean exhausted = counts.blocks().used() >= spec.usableBlocks();
        List<V1Condition> conditions = new ArrayList<>();
        conditions.add(
                pool.beingDeleted()
                        ? condition(READY, false, "Deleting", "the pool is being deleted")
                        : condition(READY, true, "Serving", "the pool gives blocks to nodes"));
        conditions.add(
                exhausted
                        ? condition(EXHAUSTED, true, "NoBlockLeft", counts.blocks().sentence())
                        : condition(EXHAUSTED, false, "BlocksLeft", ""));
        conditions.add(
                counts.overlapping().isEmpty()
                        ? condition(OVERLAPPING, false, "NoOverlap", "")
                        : condition(
                                OVERLAPPING,
                                true,
                                "SharesAddresses",
                                "shares addresses with "
                                        + String.join(", ", counts.overlapping())));
        if (pool.beingDeleted()) {
            conditions.add(condition(DELETING, true, "HasBlocks", heldBy(counts.blocks())));
        }
        return new AddressPool.Status(
                blocks, addresses, since(conditions, pool.status(), now), pool.generation());
    }

    /** A pool whose texts nobody can read. */
    static AddressPool.Status unreadable(SeenPool pool, String why, Instant now) {
        return new AddressPool.Status(
                null,
                null,
                since(List.of(condition(READY, false, "Invalid", why)), pool.status(), now),
                pool.generation());
    }

    /** {@code deleting, held by 2 blocks on n1, 1 block on n2}. */
    static String heldBy(PoolUsage usage) {
        if (usage.used() == 0) {
            return "deleting, no block holds it";
        }
        String nodes =
                usage.perNode().entrySet().stream()
                        .sorted(
                                Comparator.comparingInt(
                                                (Map.Entry<String, Integer> e) -> -e.getValue())
                                        .thenComparing(Map.Entry::getKey))
                        .limit(20)
                        .map(e -> blocks(e.getValue()) + " on " + e.getKey())
                        .collect(Collectors.joining(", "));
        int named = usage.perNode().values().stream().mapToInt(Integer::intValue).sum();
        int others = usage.used() - named;
        String more = usage.perNode().size() > 20 ? ", ..." : "";
        String rest = others > 0 ? ", " + blocks(others) + " of no node" : "";
        return "deleting, held by " + (nodes + more + rest).replaceFirst("^, ", "");
    }

    /** Whether they say the same; since when does not count. */
    static boolean same(AddressPool.@Nullable Status a, AddressPool.Status b) {
        return a != null
                && Objects.equals(a.blocks(), b.blocks())
                && Objects.equals(a.addresses(), b.addresses())
                && Objects.equals(a.observedGeneration(), b.observedGeneration())
                && texts(a).equals(texts(b));
    }

    private static List<String> texts(AddressPool.Status status) {
        return conditions(status).stream()
                .map(c -> c.getType() + c.getStatus() + c.getReason() + c.getMessage())
                .toList();
    }

    private static List<V1Condition> conditions(AddressPool.@Nullable Status status) {
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    private static String blocks(int count) {
        return count + (count == 1 ? " block" : " blocks");
    }

    private static AddressPool.Count count(BigInteger total, BigInteger used, BigInteger leaving) {
        BigInteger free = total.subtract(used).max(BigInteger.ZERO);
        return new AddressPool.Count(
                total.toString(), used.toString(), free.toString(), leaving.toString());
    }

    private static V1Condition condition(
            String type, boolean status, String reason, String message) {
        return new V1Condition()
                .type(type)
                .status(status ? "True" : "False")
                .reason(reason)
                .message(message);
    }

    /** A condition keeps its time while its status stays. */
    private static List<V1Condition> since(
            List<V1Condition> conditions, AddressPool.@Nullable Status before, Instant now) {
        for (V1Condition condition : conditions) {
            condition.setLastTransitionTime(
                    conditions(before).stream()
                            .filter(c -> condition.getType().equals(c.getType()))
                            .filter(c -> condition.getStatus().equals(c.getStatus()))
                            .map(V1Condition::getLastTransitionTime)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElseGet(() -> now.atOffset(ZoneOffset.UTC)));
        }
        return List.copyOf(conditions);
    }
}
