package io.coil.core.garbage;

import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds blocks that share addresses, in one pass over the sorted ranges. Two CIDR ranges are
 * disjoint or one holds the other, so what a range meets of those before it are the ones still open
 * around it.
 */
public final class Overlaps {
    private final List<Placed> ranges = new ArrayList<>();

    private record Placed(Cidr range, String block) {}

    public void add(String block, BlockRange range) {
        for (Cidr cidr : range.ranges()) {
            ranges.add(new Placed(cidr, block));
        }
    }

    /** Each block that meets another, with the name of one that it meets. */
    public Map<String, String> find() {
        ranges.sort(Comparator.comparing(Placed::range));
        Map<String, String> found = new HashMap<>();
        Deque<Placed> around = new ArrayDeque<>();
        for (Placed placed : ranges) {
            while (!around.isEmpty() && !around.peek().range().contains(placed.range())) {
                around.pop();
            }
            Placed holder = around.peek();
            if (holder != null && !holder.block().equals(placed.block())) {
                found.putIfAbsent(placed.block(), holder.block());
                found.putIfAbsent(holder.block(), placed.block());
            }
            around.push(placed);
        }
        return found;
    }
}
