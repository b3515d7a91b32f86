package io.coil.admin.web;

import io.coil.admin.snapshot.AgentState;
import io.coil.admin.snapshot.Finding;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.Tone;
import io.coil.core.pool.CollectionMode;

import org.springframework.web.util.UriComponentsBuilder;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which nodes are shown, and in which order; part of the address, so a view can be sent to
 * somebody. Empty text: not asked for.
 *
 * @param only findings, silent, not-ready, empty or switched
 * @param used 95, 80 (percent and more) or -50 (less)
 * @param sort name, findings, report, blocks, used, empty or pool:NAME
 */
record NodesQuery(String only, String name, String pool, String used, String sort) {
    static final List<String> ONLY =
            List.of("findings", "silent", "not-ready", "empty", "switched");

    boolean isSort(String column) {
        return sort.equals(column) || (sort.isEmpty() && column.equals("findings"));
    }

    boolean ascending() {
        return sort.equals("name");
    }

    List<NodeView> select(Stream<NodeView> nodes) {
        String part = name.strip().toLowerCase(Locale.ROOT);
        return nodes.filter(node -> is(only, node))
                .filter(node -> node.name().contains(part))
                .filter(node -> pool.isEmpty() || node.pools().containsKey(pool))
                .filter(this::inShare)
                .sorted(order().thenComparing(NodeView::name))
                .toList();
    }

    /** Whether the quick filter of that name shows the node. */
    static boolean is(String only, NodeView node) {
        return switch (only) {
            case "findings" -> node.findings().stream().anyMatch(Finding::decision);
            case "silent" -> node.agent() == AgentState.SILENT;
            case "not-ready" ->
                    node.agent() == AgentState.NODE_NOT_READY
                            || node.agent() == AgentState.NODE_GONE;
            case "empty" -> node.total().empty() > 0;
            case "switched" -> node.mode() != CollectionMode.ON;
            default -> true;
        };
    }

    private boolean inShare(NodeView node) {
        return switch (used) {
            case "95" -> node.total().percent() >= 95;
            case "80" -> node.total().percent() >= 80;
            case "-50" -> node.total().percent() < 50;
            default -> true;
        };
    }

    private Comparator<NodeView> order() {
        Comparator<NodeView> most =
                Comparator.comparingLong((NodeView n) -> n.total().used()).reversed();
        if (sort.startsWith("pool:")) {
            String column = sort.substring("pool:".length());
            return Comparator.comparingLong((NodeView n) -> n.of(column).used()).reversed();
        }
        return switch (sort) {
            case "name" -> Comparator.comparing(NodeView::name);
            case "blocks" -> Comparator.comparingInt((NodeView n) -> n.total().blocks()).reversed();
            case "empty" -> Comparator.comparingInt((NodeView n) -> n.total().empty()).reversed();
            case "used" -> most;
            case "report" ->
                    Comparator.comparing((NodeView n) -> n.agent().tone())
                            .reversed()
                            .thenComparing(
                                    NodeView::reported,
                                    Comparator.nullsFirst(Comparator.naturalOrder()));
            default -> Comparator.comparing(NodesQuery::worst).reversed().thenComparing(most);
        };
    }

    private static Tone worst(NodeView node) {
        return node.findings().stream()
                .filter(Finding::decision)
                .map(Finding::tone)
                .max(Comparator.naturalOrder())
                .orElse(Tone.OK);
    }

    String href(String changed, String value) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("only", only);
        all.put("name", name);
        all.put("pool", pool);
        all.put("used", used);
        all.put("sort", sort);
        all.put(changed, value);
        UriComponentsBuilder address = UriComponentsBuilder.fromPath("/nodes");
        all.forEach(
                (key, text) -> {
                    if (!text.isEmpty()) {
                        address.queryParam(key, "{" + key + "}");
                    }
                });
        return address.encode().buildAndExpand(all).toUriString();
    }
}
