package io.coil.admin.snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What an image shows that somebody should know of. Pure: looks, and changes nothing. */
final class Findings {
    /** A request is answered in well under a second; waiting for longer means something. */
    private static final Duration WAITING = Duration.ofSeconds(15);

    private final Instant now;
    private final Rules rules;
    private final List<NodeView> nodes;
    private final List<PoolView> pools;
    private final List<BlockView> blocks;
    private final List<RequestView> requests;
    private final List<Finding> found = new ArrayList<>();

    Findings(
            Instant now,
            Rules rules,
            List<NodeView> nodes,
            List<PoolView> pools,
            List<BlockView> blocks,
            List<RequestView> requests) {
        this.now = now;
        this.rules = rules;
        this.nodes = nodes;
        this.pools = pools;
        this.blocks = blocks;
        this.requests = requests;
    }

    List<Finding> all() {
        nodes.forEach(this::ofNode);
        found.addAll(new BlockFindings(now, rules, blocks).all());
        pools.forEach(this::ofPool);
        requests.forEach(this::ofRequest);
        found.sort(Snapshot.WORST_FIRST);
        return List.copyOf(found);
    }

    private void ofNode(NodeView node) {
        if (node.agent() == AgentState.SILENT) {
            found.add(
                    node(
                            "silent-agent",
                            node,
                            "The agent on "
                                    + node.name()
                                    + " is silent"
                                    + forLong(node.agentSince()),
                            silence(node),
                            node.agentSince()));
        }
        boolean overdue =
                node.readySince() == null
                        || node.readySince().plus(rules.nodeGrace()).isBefore(now);
        if (node.agent() == AgentState.NODE_NOT_READY && overdue && !node.blocks().isEmpty()) {
            found.add(
                    node(
                            "dead-node-block",
                            node,
                            node.name()
                                    + " is not ready and holds "
                                    + count(node.total().blocks(), "block"),
                            "Not ready%s, with %s in use when last heard of. Its Node object is still there, so nobody collects them; releasing them by force is yours to decide."
                                    .formatted(
                                            forLong(node.readySince()),
                                            count(node.total().used(), "address")),
                            node.readySince()));
        }
    }

    private String silence(NodeView node) {
        String report =
                node.reported() == null
                        ? "It has never reported."
                        : "What is shown of its blocks is its last report.";
        return "The node is ready, but its agent's pod is missing or not ready, or did not answer the last collection. "
                + report
                + " Pods that start there may get no address.";
    }

    private static Finding node(
            String rule, NodeView node, String title, String evidence, @Nullable Instant since) {
        return new Finding(
                rule,
                Tone.BAD,
                "node",
                node.name(),
                node.name(),
                null,
                null,
                title,
                evidence,
                since,
                true);
    }

    private void ofPool(PoolView pool) {
        switch (pool.state()) {
            case UNREADABLE ->
                    found.add(
                            pool(
                                    "unusable-pool",
                                    Tone.BAD,
                                    pool,
                                    "Pool " + pool.name() + " cannot be used",
                                    String.valueOf(pool.problem()),
                                    true));
            case EXHAUSTED ->
                    found.add(
                            pool(
                                    "exhaustion",
                                    Tone.BAD,
                                    pool,
                                    "Pool " + pool.name() + " has no block left",
                                    usage(pool),
                                    true));
            case NEARLY_EXHAUSTED ->
                    found.add(
                            pool(
                                    "exhaustion",
                                    Tone.WARN,
                                    pool,
                                    "Pool %s has %s left"
                                            .formatted(
                                                    pool.name(),
                                                    count(pool.blocksFree().longValue(), "block")),
                                    usage(pool),
                                    true));
            case DELETING ->
                    found.add(
                            pool(
                                    "pool-deletion",
                                    Tone.GOING,
                                    pool,
                                    "Pool %s is being deleted, held by %s"
                                            .formatted(
                                                    pool.name(),
                                                    count(pool.blocks().size(), "block")),
                                    "It goes when its last block is gone. %s in use."
                                            .formatted(count(pool.total().used(), "address")),
                                    false));
            case SERVING, DRAINING -> {}
        }
    }

    private static String usage(PoolView pool) {
        return "%d of %d blocks are granted, with %s in use; %s empty; %s."
                .formatted(
                        pool.blocks().size(),
                        pool.blocksTotal(),
                        count(pool.total().used(), "address"),
                        pool.total().empty(),
                        count(pool.total().candidates(), "leak candidate"));
    }

    private static Finding pool(
            String rule,
            Tone tone,
            PoolView pool,
            String title,
            String evidence,
            boolean decision) {
        return new Finding(
                rule,
                tone,
                "pool",
                pool.name(),
                null,
                pool.name(),
                null,
                title,
                evidence,
                null,
                decision);
    }

    private void ofRequest(RequestView request) {
        boolean waits =
                request.state() == RequestView.State.OPEN
                        && request.created() != null
                        && request.created().plus(WAITING).isBefore(now);
        if (waits) {
            found.add(
                    new Finding(
                            "waiting-request",
                            Tone.WARN,
                            "node",
                            request.node(),
                            request.node(),
                            request.pool(),
                            null,
                            "%s waits for a block of pool %s%s"
                                    .formatted(
                                            request.node(),
                                            request.pool(),
                                            forLong(request.created())),
                            "Its request %s is not answered. Is a controller running?"
                                    .formatted(request.name()),
                            request.created(),
                            true));
        }
    }

    private String forLong(@Nullable Instant since) {
        return since == null ? "" : " for " + seconds(Duration.between(since, now));
    }

    private static String seconds(Duration duration) {
        return Spoken.duration(duration);
    }

    private static String count(long number, String what) {
        return Spoken.count(number, what);
    }
}
