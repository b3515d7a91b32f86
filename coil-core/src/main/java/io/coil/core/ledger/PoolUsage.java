package io.coil.core.ledger;

import java.math.BigInteger;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who holds the blocks of a pool.
 *
 * @param used blocks that exist
 * @param total blocks that the pool is cut into
 * @param perNode number of blocks by node, in order of their names; blocks without a node do not
 *     appear
 */
public record PoolUsage(String pool, int used, BigInteger total, Map<String, Integer> perNode) {
    private static final int NODES_NAMED = 5;

    public PoolUsage {
        perNode = Collections.unmodifiableMap(new TreeMap<>(perNode));
    }

    /**
     * For people: {@code pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1)}; of many nodes
     * those with the most blocks are named.
     */
    public String sentence() {
        String nodes =
                perNode.entrySet().stream()
                        .sorted(
                                Comparator.comparingInt(
                                                (Map.Entry<String, Integer> e) -> -e.getValue())
                                        .thenComparing(Map.Entry::getKey))
                        .limit(NODES_NAMED)
                        .map(e -> e.getKey() + ": " + e.getValue())
                        .collect(Collectors.joining(", "));
        String more =
                perNode.size() > NODES_NAMED
                        ? ", %d more nodes".formatted(perNode.size() - NODES_NAMED)
                        : "";
        String rest =
                BigInteger.valueOf(used).compareTo(total) < 0
                        ? ", the rest is promised to requests, meets blocks of other pools, or has no index"
                        : "";
        return "pool %s: %d/%d blocks in use%s%s"
                .formatted(
                        pool, used, total, nodes.isEmpty() ? "" : " (" + nodes + more + ")", rest);
    }
}
