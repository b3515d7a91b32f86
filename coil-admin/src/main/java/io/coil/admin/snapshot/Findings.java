package io.coil.admin.snapshot;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.coil.core.garbage.Overlaps;
import io.coil.core.pool.CollectionMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an image shows that somebody should know of. Pure: looks, and changes nothing. */
final class Findings {
    /** A request is answered in well under a second; waiting for longer means something. */
    private static final Duration WAITING = Duration.ofSeconds(15);

    /** Surplus for that much longer than the linger: it will not go by itself after all. */
    private static final Duration STUCK = Duration.ofMinutes(10);

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
        blocks.forEach(this::ofBlock);
        orphans();
        overlaps();
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

    private void ofBlock(BlockView block) {
        switch (block.state()) {
            case SURPLUS -> surplus(block);
            case UNHELD ->
                    found.add(
                            block(
                                    "unheld-block",
                                    Tone.BAD,
                                    block,
                                    block.name() + " names no node",
                                    "Without the label that says which node holds it, nobody uses it and nobody may collect it.",
                                    true));
            case RETURNING ->
                    found.add(
                            block(
                                    "return",
                                    Tone.GOING,
                                    block,
                                    block.name() + " on " + block.node() + " is on its way back",
                                    "It is empty; its node's agent gives it back.",
                                    false));
            case RESERVED, ORPHAN, DEAD, DRAINING, SERVING, SPARE, EMPTY, UNREPORTED -> {}
        }
    }

    private void surplus(BlockView block) {
        boolean stuck =
                block.emptySince() != null
                        && block.emptySince().plus(rules.linger()).plus(STUCK).isBefore(now);
        boolean decision = block.mode() != CollectionMode.ON || stuck;
        String why =
                switch (block.mode()) {
                    case ON -> stuck ? "Its agent should have given it back by now." : "";
                    case MANUAL ->
                            "Collection is manual here: a run that names it, or a plan, returns it.";
                    case OFF -> "Collection is off here: nothing returns it.";
                };
        found.add(
                block(
                        "surplus-block",
                        decision ? Tone.WARN : Tone.GOING,
                        block,
                        block.name()
                                + " on "
                                + block.node()
                                + (decision
                                        ? " is used by nobody and will not go back by itself"
                                        : " is used by nobody and goes back by itself"),
                        "Empty%s, beyond the linger and no spare. %s"
                                .formatted(forLong(block.emptySince()), why)
                                .strip(),
                        decision));
    }

    private static Finding block(
            String rule,
            Tone tone,
            BlockView block,
            String title,
            String evidence,
            boolean decision) {
        return new Finding(
                rule,
                tone,
                "block",
                block.name(),
                block.node(),
                block.pool(),
                block.name(),
                title,
                evidence,
                block.emptySince(),
                decision);
    }

    /** One finding for each node that is gone, and mode: an off switch is somebody's to undo. */
    private void orphans() {
        Map<String, List<BlockView>> byNode =
                blocks.stream()
                        .filter(b -> b.state() == BlockState.ORPHAN)
                        .collect(groupingBy(b -> String.valueOf(b.node()), TreeMap::new, toList()));
        byNode.forEach(
                (node, held) -> {
                    boolean collected = held.stream().allMatch(b -> b.mode() == CollectionMode.ON);
                    String names =
                            String.join(", ", held.stream().limit(5).map(BlockView::name).toList());
                    found.add(
                            new Finding(
                                    "orphan-block",
                                    collected ? Tone.GOING : Tone.WARN,
                                    "node",
                                    node,
                                    node,
                                    null,
                                    null,
                                    "Node %s is gone; %s of it left"
                                            .formatted(node, count(held.size(), "block")),
                                    names
                                            + (held.size() > 5 ? " and more" : "")
                                            + (collected
                                                    ? ". The controller deletes them after a grace of %s, once a live read confirms that the node is gone."
                                                            .formatted(seconds(rules.nodeGrace()))
                                                    : ". Collection is not on for all of them, so they stay until a run names them."),
                                    null,
                                    !collected));
                });
    }

    /** Two blocks of one address can give it to two pods: what only a person may undo. */
    private void overlaps() {
        Overlaps overlaps = new Overlaps();
        Map<String, BlockView> byName = new HashMap<>();
        for (BlockView block : blocks) {
            if (block.range() != null) {
                overlaps.add(block.name(), block.range());
                byName.put(block.name(), block);
            }
        }
        overlaps.find()
                .forEach(
                        (name, other) -> {
                            BlockView block = byName.get(name);
                            if (block != null) {
                                found.add(
                                        block(
                                                "overlap",
                                                Tone.BAD,
                                                block,
                                                name + " has addresses of " + other,
                                                "Two pods may have one address. Empty one of the two.",
                                                true));
                            }
                        });
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
