package io.coil.core.ledger;

import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/** What the ledger keeps for one pool. */
final class PoolState {
    final TakenIndices taken = new TakenIndices();
    private final Map<String, Integer> perNode = new TreeMap<>();
    private int blocks;

    /** No index below is free, as long as `searched` is the pool's shape. */
    private int searchFrom;

    private @Nullable PoolSpec searched;

    /** A search passed over an index because of a range, so a range that goes may free it. */
    private boolean passedOverRanges;

    void added(@Nullable String node) {
        blocks++;
        if (node != null) {
            perNode.merge(node, 1, Integer::sum);
        }
    }

    void removed(@Nullable String node) {
        blocks--;
        if (node != null) {
            perNode.computeIfPresent(node, (name, n) -> n == 1 ? null : n - 1);
        }
    }

    void freed(int index) {
        searchFrom = Math.min(searchFrom, index);
    }

    void rangeFreed() {
        if (passedOverRanges) {
            searchFrom = 0;
            passedOverRanges = false;
        }
    }

    int searchFrom(PoolSpec spec) {
        if (!spec.equals(searched)) {
            searched = spec;
            searchFrom = 0;
            passedOverRanges = false;
        }
        return searchFrom;
    }

    void searchedTo(long index, boolean passedOver) {
        searchFrom = (int) Math.min(index, Integer.MAX_VALUE);
        passedOverRanges |= passedOver;
    }

    int blocks() {
        return blocks;
    }

    Map<String, Integer> perNode() {
        return perNode;
    }

    boolean isIdle() {
        return blocks == 0 && taken.isEmpty();
    }
}
