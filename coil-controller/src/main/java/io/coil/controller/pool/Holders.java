package io.coil.controller.pool;

import io.coil.core.ledger.PoolUsage;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Who holds a pool: its blocks by node, and how many pods use them, as the nodes' reports say.
 *
 * @param pods by node; a node that has not reported every one of its blocks is not among them
 */
record Holders(PoolUsage blocks, Map<String, Long> pods) {
    private static final int NODES_NAMED = 20;

    /** {@code 2 blocks on n1 (3 pods), 1 block on n2}; the nodes with the most blocks first. */
    String sentence() {
        List<Map.Entry<String, Integer>> nodes =
                blocks.perNode().entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Integer>comparingByValue(
                                                Comparator.reverseOrder())
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .toList();
        String named =
                nodes.stream()
                        .limit(NODES_NAMED)
                        .map(e -> blocks(e.getValue()) + " on " + e.getKey() + pods(e.getKey()))
                        .collect(Collectors.joining(", "));
        int onNodes = nodes.stream().mapToInt(Map.Entry::getValue).sum();
        int onOthers =
                onNodes - nodes.stream().limit(NODES_NAMED).mapToInt(Map.Entry::getValue).sum();
        String others =
                onOthers == 0
                        ? ""
                        : ", %s on %d more nodes"
                                .formatted(blocks(onOthers), nodes.size() - NODES_NAMED);
        int ofNone = blocks.used() - onNodes;
        String rest = ofNone == 0 ? "" : ", " + blocks(ofNone) + " of no node";
        return (named + others + rest).replaceFirst("^, ", "");
    }

    boolean isNobody() {
        return blocks.used() == 0;
    }

    private String pods(String node) {
        Long count = pods.get(node);
        if (count == null) {
            return "";
        }
        return count == 1 ? " (1 pod)" : " (%s pods)".formatted(count == 0 ? "no" : count);
    }

    private static String blocks(int count) {
        return count + (count == 1 ? " block" : " blocks");
    }
}
