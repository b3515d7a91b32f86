package io.coil.controller.run;

import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is known of a run so far: our part, and the parts of the agents that have finished. */
final class Gathered {
    private final List<RunItem> own;
    private final Map<String, NodeBlockUsage.Run> parts = new TreeMap<>();

    Gathered(List<RunItem> own) {
        this.own = List.copyOf(own);
    }

    void add(String node, NodeBlockUsage.Run part) {
        parts.put(node, part);
    }

    Set<String> answered() {
        return parts.keySet();
    }

    long found() {
        return own.size() + parts.values().stream().mapToLong(NodeBlockUsage.Run::found).sum();
    }

    long done() {
        return count(RunItem.DONE)
                + parts.values().stream().mapToLong(NodeBlockUsage.Run::done).sum();
    }

    long failed() {
        return count(RunItem.FAILED)
                + parts.values().stream().mapToLong(NodeBlockUsage.Run::failed).sum();
    }

    long kept() {
        return count(RunItem.KEPT)
                + parts.values().stream()
                        .flatMap(p -> items(p).stream())
                        .filter(i -> i.outcome().equals(RunItem.KEPT))
                        .count();
    }

    /** At most {@link RunItem#MOST}. */
    List<RunItem> items() {
        List<RunItem> all = new ArrayList<>(own.subList(0, Math.min(own.size(), RunItem.MOST)));
        for (NodeBlockUsage.Run part : parts.values()) {
            int room = RunItem.MOST - all.size();
            List<RunItem> items = items(part);
            all.addAll(items.subList(0, Math.min(items.size(), room)));
        }
        return all;
    }

    /** Items beyond those listed. */
    long rest() {
        long all =
                own.size()
                        + parts.values().stream().mapToLong(p -> items(p).size() + p.rest()).sum();
        return all - items().size();
    }

    private long count(String outcome) {
        return own.stream().filter(i -> i.outcome().equals(outcome)).count();
    }

    private static List<RunItem> items(NodeBlockUsage.Run part) {
        return part.items() == null ? List.of() : part.items();
    }
}
