package io.coil.admin.act;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.Snapshot;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.net.Address;
import io.coil.core.pool.BlockRange;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Who uses a block, in words. */
final class Users {
    private static final int NAMED = 10;

    private Users() {}

    /** {@code 2 addresses are in use, by shop/web-1 (10.1.0.0) and shop/web-2 (10.1.0.1)}. */
    static String of(BlockView block, Snapshot snapshot) {
        List<String> pods = pods(block, snapshot);
        String count = Spoken.count(block.used(), "address") + (block.used() == 1 ? " is" : " are");
        if (pods.isEmpty()) {
            return count + " in use, and no pod shows any of them";
        }
        long unknown = block.used() - pods.size();
        List<String> named = new ArrayList<>(pods.subList(0, Math.min(NAMED, pods.size())));
        if (pods.size() > NAMED) {
            named.add(Spoken.count(pods.size() - NAMED, "pod") + " more");
        }
        return "%s in use, by %s%s"
                .formatted(
                        count,
                        listed(named),
                        unknown > 0 ? "; of %d no pod is known".formatted(unknown) : "");
    }

    private static String listed(List<String> words) {
        int last = words.size() - 1;
        return last == 0
                ? words.getFirst()
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /** By address; a pod that shows two of the block counts once. */
    private static List<String> pods(BlockView block, Snapshot snapshot) {
        BlockRange range = block.range();
        if (range == null) {
            return List.of();
        }
        return snapshot.pods().entrySet().stream()
                .filter(e -> range.contains(e.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .map(Users::first)
                .distinct()
                .toList();
    }

    /** A pod of both families is named with the first of its addresses, whichever was met. */
    private static String first(Map.Entry<Address, Observed.Pod> entry) {
        Address address =
                entry.getValue().addresses().isEmpty()
                        ? entry.getKey()
                        : entry.getValue().addresses().getFirst();
        return "%s (%s)".formatted(entry.getValue(), address);
    }
}
