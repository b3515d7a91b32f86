package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.work.Flights;
import io.coil.controller.work.KeyedWork;
import io.coil.core.garbage.OrphanBlock;
import io.coil.core.garbage.OrphanStep;
import io.coil.core.garbage.Orphans;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.core.garbage.Trigger;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Blocks of whose node's name no Node exists. Key: the node's name, so that one read of the Node
 * serves several blocks. Graces are counted whatever the mode of collection; acting depends on it.
 * What somebody deleted goes under every mode.
 */
public final class OrphanBlocks implements KeyedWork.Look<String> {
    private static final Duration AFTER_ERROR = Duration.ofSeconds(3);
    private static final Duration NO_FLIGHT = Duration.ofMillis(20);
    private static final Duration WHEN_NOT_ALLOWED = Duration.ofSeconds(30);

    private final ClusterView view;
    private final Timeline timeline;
    private final Modes modes;
    private final Flights flights;
    private final OrphanRound round;
    private final Object lock = new Object();
    private final Orphans orphans; // guarded by lock
    private final Set<String> claimed = new HashSet<>(); // guarded by lock; UIDs being collected

    public OrphanBlocks(
            OrphanRound round,
            ClusterView view,
            Timeline timeline,
            Modes modes,
            Flights flights,
            Duration grace) {
        this.round = round;
        this.view = view;
        this.timeline = timeline;
        this.modes = modes;
        this.flights = flights;
        this.orphans = new Orphans(grace);
    }

    @Override
    public @Nullable Duration at(String node) throws InterruptedException {
        List<SeenBlock> ready = new ArrayList<>();
        Duration again = null;
        for (SeenBlock block : blocksOf(node)) {
            OrphanStep step = look(block);
            if (step instanceof OrphanStep.Wait(Duration remaining)) {
                again = sooner(again, remaining);
            } else if (step instanceof OrphanStep.ReadNode) {
                if (block.beingDeleted() || modes.allow(Trigger.EVENT, node, block.pool())) {
                    ready.add(block);
                } else {
                    again = sooner(again, WHEN_NOT_ALLOWED);
                }
            }
        }
        if (ready.isEmpty()) {
            return again;
        }
        Map<String, RunItem> outcomes = collect(node, ready);
        boolean allTried = outcomes.size() == ready.size();
        boolean unfinished =
                outcomes.values().stream().anyMatch(i -> i.outcome().equals(RunItem.FAILED));
        if (!allTried) {
            again = sooner(again, NO_FLIGHT);
        }
        return unfinished ? sooner(again, AFTER_ERROR) : again;
    }

    public void gone(SeenBlock block) {
        synchronized (lock) {
            orphans.forget(block.uid());
        }
    }

    /** What a run that matches {@code selection} finds: planned, or kept with the reason. */
    public List<RunItem> find(Selection selection) {
        List<RunItem> items = new ArrayList<>();
        for (SeenBlock block : view.blocks()) {
            if (!selection.matches(block.node(), block.pool(), block.name())) {
                continue;
            }
            OrphanStep step = look(block);
            if (step instanceof OrphanStep.ReadNode) {
                items.add(item(block, RunItem.PLANNED, null));
            } else if (step instanceof OrphanStep.Wait(Duration remaining)) {
                items.add(
                        item(
                                block,
                                RunItem.KEPT,
                                "its node may come back: kept for another %d s"
                                        .formatted(remaining.toSeconds() + 1)));
            } else if (step instanceof OrphanStep.Keep(String reason)) {
                String outcome = block.node() == null ? RunItem.REPORTED : RunItem.KEPT;
                if (block.node() == null || view.node(block.node()) == null) {
                    items.add(item(block, outcome, reason));
                }
            }
        }
        return items;
    }

    /** Does what {@link #find} planned; what another collection is at is left to that one. */
    public List<RunItem> collect(List<RunItem> planned) throws InterruptedException {
        List<RunItem> results = new ArrayList<>();
        List<String> nodes =
                planned.stream().map(i -> Objects.requireNonNull(i.node())).distinct().toList();
        for (String node : nodes) {
            List<RunItem> ofNode = planned.stream().filter(i -> node.equals(i.node())).toList();
            List<SeenBlock> blocks = ofNode.stream().flatMap(i -> stillThere(i).stream()).toList();
            Map<String, RunItem> outcomes = collect(node, blocks);
            while (outcomes.isEmpty() && !blocks.isEmpty() && !allClaimed(blocks)) {
                timeline.sleep(NO_FLIGHT);
                outcomes = collect(node, blocks);
            }
            for (RunItem item : ofNode) {
                RunItem outcome = outcomes.get(Objects.requireNonNull(item.uid()));
                results.add(
                        outcome != null
                                ? item.with(outcome.outcome(), outcome.message())
                                : item.with(
                                        RunItem.NO_LONGER_TRUE,
                                        "gone, or another collection is at it"));
            }
        }
        return results;
    }

    private boolean allClaimed(List<SeenBlock> blocks) {
        synchronized (lock) {
            return blocks.stream().allMatch(b -> claimed.contains(b.uid()));
        }
    }

    private List<SeenBlock> stillThere(RunItem item) {
        SeenBlock block = view.block(item.name());
        return block != null
                        && block.uid().equals(item.uid())
                        && look(block) instanceof OrphanStep.ReadNode
                ? List.of(block)
                : List.of();
    }

    private Map<String, RunItem> collect(String node, List<SeenBlock> ready)
            throws InterruptedException {
        int tasks = flights.take(ready.size());
        if (tasks == 0) {
            return Map.of();
        }
        List<SeenBlock> mine;
        synchronized (lock) {
            mine = ready.stream().filter(b -> claimed.add(b.uid())).toList();
        }
        try {
            return round.collect(node, mine, tasks, this::step);
        } finally {
            synchronized (lock) {
                mine.forEach(b -> claimed.remove(b.uid()));
            }
            flights.giveBack(tasks);
        }
    }

    /** Asks the state machine, under its guard. */
    private OrphanStep step(OrphanRound.Question question) {
        synchronized (lock) {
            return question.ask(orphans);
        }
    }

    /** Null while a collection is at this block: a look would make it begin again. */
    private @Nullable OrphanStep look(SeenBlock block) {
        boolean nodeKnown = block.node() != null && view.node(block.node()) != null;
        synchronized (lock) {
            return claimed.contains(block.uid())
                    ? null
                    : orphans.look(toCore(block), nodeKnown, timeline.nanos());
        }
    }

    static OrphanBlock toCore(SeenBlock block) {
        return new OrphanBlock(
                block.name(), block.uid(), block.node(), block.reserved(), block.beingDeleted());
    }

    private RunItem item(SeenBlock block, String outcome, @Nullable String message) {
        Duration age;
        synchronized (lock) {
            age = orphans.age(block.uid(), timeline.nanos());
        }
        String evidence =
                block.node() == null
                        ? "the block has no node label"
                        : "no Node named %s exists".formatted(block.node());
        return new RunItem(
                Rule.ORPHAN_BLOCK.text(),
                "Block",
                block.name(),
                block.uid(),
                block.name(),
                block.pool(),
                block.node(),
                evidence,
                age.toSeconds(),
                outcome,
                message);
    }

    private List<SeenBlock> blocksOf(String node) {
        return view.blocks().stream().filter(b -> node.equals(b.node())).toList();
    }

    private static Duration sooner(@Nullable Duration a, Duration b) {
        return a == null || b.compareTo(a) < 0 ? b : a;
    }
}
