package io.coil.controller.garbage;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenNode;
import io.coil.controller.view.SeenPool;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What only a human may decide: found, told with its evidence, never acted on. */
public final class Reports {
    private final ClusterView view;
    private final Ledger ledger;
    private final NodeStates nodes;
    private final AgentStates agents;
    private final Duration grace;
    private final Duration silentAfter;

    /**
     * @param grace how long a node must not be Ready for its blocks to be reported
     * @param silentAfter how long an agent must be silent to be reported
     */
    public Reports(
            ClusterView view,
            Ledger ledger,
            NodeStates nodes,
            AgentStates agents,
            Duration grace,
            Duration silentAfter) {
        this.view = view;
        this.ledger = ledger;
        this.nodes = nodes;
        this.agents = agents;
        this.grace = grace;
        this.silentAfter = silentAfter;
    }

    /** In the order of their names. */
    public List<RunItem> find(Selection selection) {
        List<RunItem> items = new ArrayList<>();
        for (SeenBlock block : view.blocks()) {
            if (selection.matches(block.node(), block.pool(), block.name())) {
                withoutNode(block).ifPresent(items::add);
                overlap(block).ifPresent(items::add);
                outOfPool(block).ifPresent(items::add);
                deadNode(block).ifPresent(items::add);
            }
        }
        for (SeenNode node : view.nodes()) {
            Duration silent = agents.silentFor(node.name());
            if (selection.matches(node.name(), null, null) && silent.compareTo(silentAfter) >= 0) {
                items.add(silent(node.name(), "its agent has no Ready pod", silent));
            }
        }
        items.sort(Comparator.comparing(RunItem::name).thenComparing(RunItem::rule));
        return items;
    }

    /** A node whose agent has not answered a run. */
    public static RunItem silent(String node, Duration waited) {
        return silent(node, "its agent did not answer the run", waited);
    }

    private static RunItem silent(String node, String evidence, Duration age) {
        return new RunItem(
                        Rule.SILENT_AGENT.text(),
                        "Node",
                        node,
                        null,
                        null,
                        null,
                        node,
                        evidence,
                        age.toSeconds(),
                        RunItem.REPORTED,
                        null)
                .reported();
    }

    private static Optional<RunItem> withoutNode(SeenBlock block) {
        return block.node() == null
                ? Optional.of(
                        item(
                                Rule.ORPHAN_BLOCK,
                                block,
                                "the block has no node label",
                                Duration.ZERO))
                : Optional.empty();
    }

    private Optional<RunItem> overlap(SeenBlock block) {
        if (block.range() == null) {
            return Optional.empty();
        }
        return ledger.overlapping(block.name(), block.range())
                .map(
                        other ->
                                item(
                                        Rule.OVERLAP,
                                        block,
                                        "its addresses %s are also those of the block %s"
                                                .formatted(block.range(), other),
                                        Duration.ZERO));
    }

    private Optional<RunItem> outOfPool(SeenBlock block) {
        String why = foreign(block);
        return why == null
                ? Optional.empty()
                : Optional.of(item(Rule.OUT_OF_POOL, block, why, Duration.ZERO));
    }

    private @Nullable String foreign(SeenBlock block) {
        if (block.pool() == null) {
            return "the block has no pool label";
        }
        SeenPool pool = view.pool(block.pool());
        if (pool == null) {
            return "there is no pool named " + block.pool();
        }
        PoolSpec spec = pool.spec();
        if (spec == null) {
            return null;
        }
        if (!block.name().equals(PoolSpec.blockName(pool.name(), Math.max(0, block.index())))) {
            return "its name is not its index";
        }
        if (!spec.hasBlock(block.index())) {
            return "pool %s has no block of index %d".formatted(pool.name(), block.index());
        }
        return spec.blockAt(block.index()).equals(block.range())
                ? null
                : "pool %s has %s at index %d"
                        .formatted(pool.name(), spec.blockAt(block.index()), block.index());
    }

    private Optional<RunItem> deadNode(SeenBlock block) {
        SeenNode node = block.node() == null ? null : view.node(block.node());
        if (node == null || node.ready()) {
            return Optional.empty();
        }
        Duration notReady = nodes.notReadyFor(node.name());
        return notReady.compareTo(grace) < 0
                ? Optional.empty()
                : Optional.of(
                        item(
                                Rule.DEAD_NODE_BLOCK,
                                block,
                                "node %s is not Ready, and its agent alone could give it back"
                                        .formatted(node.name()),
                                notReady));
    }

    private static RunItem item(Rule rule, SeenBlock block, String evidence, Duration age) {
        return new RunItem(
                        rule.text(),
                        "Block",
                        block.name(),
                        block.uid(),
                        block.name(),
                        block.pool(),
                        block.node(),
                        evidence,
                        age.toSeconds(),
                        RunItem.REPORTED,
                        null)
                .reported();
    }
}
