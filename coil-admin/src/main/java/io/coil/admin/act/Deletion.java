package io.coil.admin.act;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Spoken;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a deletion waits for, in a sentence. */
public final class Deletion {
    private static final int NAMED = 5;

    private Deletion() {}

    /** {@code Pool default is being deleted, held by 2 blocks on n1 and 1 block on n2.} */
    public static String sentence(PoolView pool) {
        if (pool.blocks().isEmpty()) {
            return "Pool %s is being deleted; no block holds it, so it goes in a moment."
                    .formatted(pool.name());
        }
        return "Pool %s is being deleted, held by %s."
                .formatted(pool.name(), holders(pool.blocks()));
    }

    /** {@code 2 blocks on n1 and 1 block on n2}, those with the most first. */
    public static String holders(List<BlockView> blocks) {
        Map<String, Integer> byNode = new TreeMap<>();
        blocks.forEach(b -> byNode.merge(b.node() == null ? "no node" : b.node(), 1, Integer::sum));
        List<Map.Entry<String, Integer>> most =
                byNode.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .toList();
        List<String> words = new ArrayList<>();
        for (Map.Entry<String, Integer> holder : most.subList(0, Math.min(NAMED, most.size()))) {
            words.add(Spoken.count(holder.getValue(), "block") + " on " + holder.getKey());
        }
        if (most.size() > NAMED) {
            int rest =
                    most.subList(NAMED, most.size()).stream().mapToInt(Map.Entry::getValue).sum();
            words.add(
                    "%s on %s more"
                            .formatted(
                                    Spoken.count(rest, "block"),
                                    Spoken.number(most.size() - NAMED)));
        }
        int last = words.size() - 1;
        return last == 0
                ? words.getFirst()
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
