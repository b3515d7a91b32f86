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
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Blocks of whose node's name no Node exists. Key: the node's name, so that one read of the Node
 * serves several blocks. Graces are counted whatever the mode of collection; acting depends on it.
 * What somebody deleted goes under every mode.
 */
public final class OrphanBlocks implements KeyedWork.Look<String> {
    private static final Duration FIRST_AFTER_ERROR = Duration.ofSeconds(1);
    private static final Duration MOST_AFTER_ERROR = Duration.ofMinutes(1);
    private static final Duration WHEN_NOT_ALLOWED = Duration.ofSeconds(30);
    private static final Duration WHEN_CLAIMED = Duration.ofSeconds(1);

    private final KubeApi api;
    private final ClusterView view;
    private final Timeline timeline;
    private final Modes modes;
    private final Flights flights;
    private final MeterRegistry meters;
    private final Object lock = new Object();
    // all guarded by lock
    private final Orphans orphans;
    private final Set<String> claimed = new HashSet<>(); // UIDs being collected
    private final Map<String, Integer> failures = new HashMap<>(); // by node, in a row

    public OrphanBlocks(
            KubeApi api,
            ClusterView view,
            Timeline timeline,
            Modes modes,
            Flights flights,
            MeterRegistry meters,
            Duration grace) {
        this.api = api;
        this.view = view;
        this.timeline = timeline;
        this.modes = modes;
        this.flights = flights;
        this.meters = meters;
        this.orphans = new Orphans(grace);
    }

    /** A few blocks of one node. */
    private record Batch(String node, List<SeenBlock> blocks) {}

    @Override
    public @Nullable Duration at(String node) throws InterruptedException {
        List<SeenBlock> ready = new ArrayList<>();
        Duration again = null;
        for (SeenBlock block : view.blocksOf(node)) {
            OrphanStep step = look(block);
            if (step == null) {
                again = sooner(again, WHEN_CLAIMED);
            } else if (step instanceof OrphanStep.Wait(Duration remaining)) {
                again = sooner(again, remaining);
            } else if (step instanceof OrphanStep.ReadNode) {
                if (block.beingDeleted() || modes.allow(Trigger.EVENT, node, block.pool())) {
                    ready.add(block);
                } else {
                    again = sooner(again, WHEN_NOT_ALLOWED);
                }
            }
        }
        boolean failed =
                collectAll(ready).values().stream()
                        .anyMatch(r -> r.outcome().equals(RunItem.FAILED));
        Duration pause = backOff(node, failed);
        return pause == null ? again : sooner(again, pause);
    }

    /** The block does not exist any more. */
    public void gone(SeenBlock block) {
        synchronized (lock) {
            orphans.forget(block.uid());
        }
    }

    /**
     * A Node of that name has come: should it go again, its blocks have a grace anew, and a
     * collection that is under way stops.
     */
    public void nodeCame(String node) {
        synchronized (lock) {
            view.blocksOf(node).forEach(b -> orphans.forget(b.uid()));
        }
    }

    /** Forgets what a watch that was out of sight did not tell of. */
    public void forgetOthers() {
        Set<String> there = view.blocks().stream().map(SeenBlock::uid).collect(Collectors.toSet());
        synchronized (lock) {
            orphans.retain(there);
            failures.keySet().removeIf(node -> view.blocksOf(node).isEmpty());
        }
    }

    /** How long until the grace is over of all that a run of that selection is about. */
    public Duration ripeIn(Selection selection) {
        Duration longest = Duration.ZERO;
        for (SeenBlock block : view.blocks()) {
            if (block.node() != null
                    && selection.matches(block.node(), block.pool(), block.name())
                    && look(block) instanceof OrphanStep.Wait(Duration remaining)
                    && remaining.compareTo(longest) > 0) {
                longest = remaining;
            }
        }
        return longest;
    }

    /** What a run that matches {@code selection} finds: planned, or kept with the reason. */
    public List<RunItem> find(Selection selection) {
        List<RunItem> items = new ArrayList<>();
        for (SeenBlock block : view.blocks()) {
            if (block.node() != null
                    && selection.matches(block.node(), block.pool(), block.name())) {
                RunItem item = find(block);
                if (item != null) {
                    items.add(item);
                }
            }
        }
        items.sort(Comparator.comparing(RunItem::name));
        return items;
    }

    private @Nullable RunItem find(SeenBlock block) {
        OrphanStep step = look(block);
        Duration age;
        synchronized (lock) {
            age = orphans.age(block.uid(), timeline.nanos());
        }
        return step == null ? OrphanItem.claimed(block, age) : OrphanItem.of(block, step, age);
    }

    /** Does what {@link #find} planned; what another collection is at is left to that one. */
    public List<RunItem> collect(List<RunItem> planned) throws InterruptedException {
        List<SeenBlock> blocks = new ArrayList<>();
        for (RunItem item : planned) {
            SeenBlock block = view.block(item.name());
            if (block != null && block.uid().equals(item.uid())) {
                blocks.add(block);
            }
        }
        Map<String, OrphanBatch.Result> results = collectAll(blocks);
        return planned.stream()
                .map(
                        item -> {
                            OrphanBatch.Result result =
                                    results.get(Objects.requireNonNull(item.uid()));
                            return result == null
                                    ? item.with(
                                            RunItem.NO_LONGER_TRUE,
                                            "gone, or " + OrphanItem.CLAIMED)
                                    : item.with(result.outcome(), result.message());
                        })
                .toList();
    }

    /** Results by UID; none of a block that another collection has or had. */
    private Map<String, OrphanBatch.Result> collectAll(List<SeenBlock> blocks)
            throws InterruptedException {
        Map<String, List<SeenBlock>> byNode = new TreeMap<>();
        for (SeenBlock block : blocks) {
            byNode.computeIfAbsent(Objects.requireNonNull(block.node()), node -> new ArrayList<>())
                    .add(block);
        }
        List<Batch> batches = new ArrayList<>();
        byNode.forEach(
                (node, all) -> {
                    for (int from = 0; from < all.size(); from += OrphanBatch.MOST) {
                        int to = Math.min(all.size(), from + OrphanBatch.MOST);
                        batches.add(new Batch(node, all.subList(from, to)));
                    }
                });
        Map<String, OrphanBatch.Result> results = new ConcurrentHashMap<>();
        flights.each("orphans", batches, batch -> results.putAll(collect(batch)));
        return results;
    }

    private Map<String, OrphanBatch.Result> collect(Batch batch) {
        List<SeenBlock> mine = claim(batch.blocks());
        if (mine.isEmpty()) {
            return Map.of();
        }
        try {
            Map<String, OrphanBatch.Result> results =
                    new OrphanBatch(api, timeline, batch.node(), this::step).run(mine);
            results.values().forEach(this::count);
            return results;
        } finally {
            synchronized (lock) {
                mine.forEach(b -> claimed.remove(b.uid()));
            }
        }
    }

    /** Those that are orphans now, and that no other collection is at. */
    private List<SeenBlock> claim(List<SeenBlock> blocks) {
        List<SeenBlock> mine = new ArrayList<>();
        for (SeenBlock block : blocks) {
            synchronized (lock) {
                if (look(block) instanceof OrphanStep.ReadNode) {
                    claimed.add(block.uid());
                    mine.add(block);
                }
            }
        }
        return mine;
    }

    private void count(OrphanBatch.Result result) {
        meters.counter(
                        "coil.controller.collected",
                        "rule",
                        Rule.ORPHAN_BLOCK.text(),
                        "outcome",
                        result.outcome())
                .increment();
    }

    /** Asks the state machine, under its guard. */
    private OrphanStep step(OrphanBatch.Question question) {
        synchronized (lock) {
            return question.ask(orphans);
        }
    }

    /** Null while a collection is at this block: a look would make it begin again. */
    private @Nullable OrphanStep look(SeenBlock block) {
        if (block.beingDeleted() && !block.guarded()) {
            return new OrphanStep.Keep("another one's finalizer holds it");
        }
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

    /** How soon to look again after an error; null if there was none. */
    private @Nullable Duration backOff(String node, boolean failed) {
        synchronized (lock) {
            if (!failed) {
                failures.remove(node);
                return null;
            }
            int before = failures.merge(node, 1, Integer::sum) - 1;
            Duration pause = FIRST_AFTER_ERROR.multipliedBy(1L << Math.min(before, 10));
            return pause.compareTo(MOST_AFTER_ERROR) < 0 ? pause : MOST_AFTER_ERROR;
        }
    }

    private static Duration sooner(@Nullable Duration a, Duration b) {
        return a == null || b.compareTo(a) < 0 ? b : a;
    }
}
