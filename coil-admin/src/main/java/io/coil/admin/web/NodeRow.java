package io.coil.admin.web;

import io.coil.admin.snapshot.Finding;
import io.coil.admin.snapshot.NodeView;
import io.coil.admin.snapshot.Share;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A node in the table of nodes and pools. */
public record NodeRow(
        String name,
        String flag,
        List<Found> findings,
        Tag agent,
        @Nullable String agentNote,
        int blocks,
        Gauge addresses,
        int empty,
        List<Cell> pools) {

    /** A finding in a row; {@code block} null: it is not of one block. */
    public record Found(String rule, String css, @Nullable String block) {}

    /** A node's share of a pool; {@code text} null: it holds none of it. */
    public record Cell(String pool, String css, @Nullable String text, String blocks) {}

    static NodeRow of(NodeView node, List<String> pools, Instant now) {
        List<Finding> decisions = node.findings().stream().filter(Finding::decision).toList();
        boolean bad = decisions.stream().anyMatch(f -> f.tone().css().equals("bad"));
        return new NodeRow(
                node.name(),
                decisions.isEmpty() ? "" : bad ? "flag bad" : "flag",
                decisions.stream()
                        .limit(2)
                        .map(f -> new Found(f.rule(), f.tone().css(), f.block()))
                        .toList(),
                Tag.of(node.agent()),
                note(node, now),
                node.total().blocks(),
                Gauge.of(node.total()),
                node.total().empty(),
                pools.stream().map(pool -> cell(pool, node.of(pool))).toList());
    }

    static @Nullable String note(NodeView node, Instant now) {
        if (node.agentSince() == null) {
            return null;
        }
        String age = Spoken.duration(Duration.between(node.agentSince(), now));
        return switch (node.agent()) {
            case REPORTING -> age + " ago";
            case SILENT, NODE_NOT_READY -> "for " + age;
            case NO_REPORT, NODE_GONE -> null;
        };
    }

    private static Cell cell(String pool, Share share) {
        if (share.blocks() == 0) {
            return new Cell(pool, "nil", null, "");
        }
        return new Cell(
                pool,
                "heat" + heat(share),
                Spoken.number(share.used()) + " of " + Spoken.number(share.capacity()),
                "in " + Spoken.count(share.blocks(), "block"));
    }

    private static String heat(Share share) {
        if (share.used() == 0) {
            return "";
        }
        double percent = share.percent();
        return percent < 50 ? " q1" : percent < 80 ? " q2" : percent < 95 ? " q3" : " q4";
    }
}
