package io.coil.core.ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The taken indices of one pool as sorted runs, so that the first gap is found without a look at
 * each index. An index can be taken more than once, by a block and by a reservation.
 */
final class TakenIndices {
    private final TreeMap<Integer, Integer> runs = new TreeMap<>(); // first to last, inclusive
    private final Map<Integer, Integer> moreThanOnce = new HashMap<>(); // index to extra takers

    void take(int index) {
        Map.Entry<Integer, Integer> left = runs.floorEntry(index);
        if (left != null && left.getValue() >= index) {
            moreThanOnce.merge(index, 1, Integer::sum);
            return;
        }
        int first = left != null && left.getValue() == index - 1 ? left.getKey() : index;
        Integer last = index == Integer.MAX_VALUE ? null : runs.remove(index + 1);
        runs.put(first, last == null ? index : last);
    }

    /** Ends one taking; true if the index is free now. */
    boolean release(int index) {
        Integer extra = moreThanOnce.get(index);
        if (extra != null) {
            if (extra == 1) {
                moreThanOnce.remove(index);
            } else {
                moreThanOnce.put(index, extra - 1);
            }
            return false;
        }
        Map.Entry<Integer, Integer> run = runs.floorEntry(index);
        if (run == null || run.getValue() < index) {
            throw new IllegalStateException("index " + index + " is not taken");
        }
        int last = run.getValue();
        if (run.getKey() == index) {
            runs.remove(index);
        } else {
            runs.put(run.getKey(), index - 1);
        }
        if (last > index) {
            runs.put(index + 1, last);
        }
        return true;
    }

    /** The first index from that one on that is not taken; 2^31 if all are. */
    long firstFree(int from) {
        Map.Entry<Integer, Integer> run = runs.floorEntry(from);
        return run == null || run.getValue() < from ? from : run.getValue() + 1L;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }
}
