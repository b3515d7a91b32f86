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

/** What blocks show: what nobody uses, what nobody holds, what two of them share. */
final class BlockFindings {
    /** Surplus for that much longer than the linger: it will not go by itself after all. */
    private static final Duration STUCK = Duration.ofMinutes(10);

    private final Instant now;
    private final Rules rules;
    private final List<BlockView> blocks;
    private final List<Finding> found = new ArrayList<>();

    BlockFindings(Instant now, Rules rules, List<BlockView> blocks) {
        this.now = now;
        this.rules = rules;
        this.blocks = blocks;
    }

    List<Finding> all() {
        blocks.forEach(this::ofBlock);
        orphans();
        overlaps();
        return found;
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
                                            .formatted(node, Spoken.count(held.size(), "block")),
                                    names
                                            + (held.size() > 5 ? " and more" : "")
                                            + (collected
                                                    ? ". The controller deletes them after a grace of %s, once a live read confirms that the node is gone."
                                                            .formatted(
                                                                    Spoken.duration(
                                                                            rules.nodeGrace()))
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

    private String forLong(@Nullable Instant since) {
        return since == null ? "" : " for " + Spoken.duration(Duration.between(since, now));
    }
}
