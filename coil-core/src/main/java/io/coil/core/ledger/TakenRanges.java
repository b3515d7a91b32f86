package io.coil.core.ledger;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The ranges of one family that blocks and reservations take, over all pools. Each has the names of
 * the blocks that take it, because faults of the past leave blocks that overlap. Two CIDR ranges
 * are disjoint or one holds the other, so a search needs one look behind the first address and one
 * per prefix length that occurs.
 */
final class TakenRanges {
    private final TreeMap<Cidr, List<String>> takers = new TreeMap<>();
    private final int[] perPrefix = new int[129];

    /** A taken range, and the name of one block that takes it. */
    record Taken(Cidr range, String block) {}

    /** The same block may be added more than once: it exists, and is promised to requests. */
    void add(Cidr range, String block) {
        List<String> names = takers.get(range);
        if (names == null) {
            takers.put(range, List.of(block)); // nearly always the only one
            perPrefix[range.prefix()]++;
        } else {
            List<String> more = new ArrayList<>(names);
            more.add(block);
            takers.put(range, more);
        }
    }

    /** Ends one adding. */
    void remove(Cidr range, String block) {
        List<String> fewer = new ArrayList<>(takers.getOrDefault(range, List.of()));
        if (!fewer.remove(block)) {
            throw new IllegalStateException(range + " is not taken by " + block);
        }
        if (fewer.isEmpty()) {
            takers.remove(range);
            perPrefix[range.prefix()]--;
        } else {
            takers.put(range, fewer);
        }
    }

    /** A taken range that meets this one, the largest first. */
    Optional<Taken> meeting(Cidr range) {
        return meeting(range, null);
    }

    /** As {@link #meeting(Cidr)}; what the block of that name takes does not count. */
    Optional<Taken> meeting(Cidr range, @Nullable String exceptBlock) {
        for (int prefix = 0; prefix < range.prefix(); prefix++) {
            if (perPrefix[prefix] > 0) {
                Cidr around = Cidr.of(range.first(), prefix);
                List<String> names = takers.get(around);
                if (names != null) {
                    String other = otherThan(exceptBlock, names);
                    if (other != null) {
                        return Optional.of(new Taken(around, other));
                    }
                }
            }
        }
        Address last = range.last();
        for (Map.Entry<Cidr, List<String>> entry : takers.tailMap(range, true).entrySet()) {
            if (entry.getKey().first().compareTo(last) > 0) {
                break;
            }
            String other = otherThan(exceptBlock, entry.getValue());
            if (other != null) {
                return Optional.of(new Taken(entry.getKey(), other));
            }
        }
        return Optional.empty();
    }

    private static @Nullable String otherThan(@Nullable String block, List<String> names) {
        for (String name : names) {
            if (!name.equals(block)) {
                return name;
            }
        }
        return null;
    }
}
