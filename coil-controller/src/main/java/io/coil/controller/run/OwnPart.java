package io.coil.controller.run;

import io.coil.controller.garbage.Modes;
import io.coil.controller.garbage.OrphanBlocks;
import io.coil.controller.garbage.Reports;
import io.coil.controller.garbage.StrayRequests;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenRequest;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.core.garbage.Trigger;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The controller's part of a run: orphan blocks, stray requests, and what is only reported. */
public final class OwnPart {
    /** So many blocks, and what has become of them is told. */
    private static final int STRETCH = 512;

    private final ClusterView view;
    private final OrphanBlocks orphans;
    private final StrayRequests strays;
    private final Reports reports;
    private final Modes modes;

    public OwnPart(
            ClusterView view,
            OrphanBlocks orphans,
            StrayRequests strays,
            Reports reports,
            Modes modes) {
        this.view = view;
        this.orphans = orphans;
        this.strays = strays;
        this.reports = reports;
        this.modes = modes;
    }

    /** What makes two items the same finding. */
    private record Thing(String rule, String name, @Nullable String uid) {
        static Thing of(RunItem item) {
            return new Thing(item.rule(), item.name(), item.uid());
        }
    }

    /** How long until everything that the run is about has been seen for its grace. */
    Duration ripeIn(GarbageCollection run) {
        return orphans.ripeIn(RunScope.selection(run));
    }

    /**
     * Does our part: of the plan if there is one, else of what is found now.
     *
     * @param done what has been done before, and is not looked for again
     * @param told all items so far, each time that there are more; the last time all
     */
    void carryOut(
            GarbageCollection run,
            @Nullable GarbageCollection plan,
            List<RunItem> done,
            Consumer<List<RunItem>> told)
            throws InterruptedException {
        Selection selection = RunScope.selection(run);
        boolean dryRun = run.spec() != null && run.spec().planOnly();
        List<RunItem> items = new ArrayList<>();
        List<RunItem> act = new ArrayList<>();
        if (plan == null) {
            for (RunItem item : find(selection, dryRun)) {
                boolean acts = !dryRun && item.outcome().equals(RunItem.PLANNED);
                (acts ? act : items).add(item);
            }
            items.addAll(reports.find(selection));
        } else {
            judge(plan, selection, done, items, act);
        }
        told.accept(items);
        act(act, items, told);
    }

    /** Exactly the items of the plan that are ours, and of those what is still true. */
    private void judge(
            GarbageCollection plan,
            Selection selection,
            List<RunItem> done,
            List<RunItem> items,
            List<RunItem> act) {
        Map<Thing, RunItem> now = new HashMap<>();
        orphans.find(Selection.ALL).forEach(i -> now.put(Thing.of(i), i));
        Set<Thing> before = done.stream().map(Thing::of).collect(Collectors.toSet());
        for (RunItem planned : RunScope.planned(plan)) {
            if (!selection.matches(planned.node(), planned.pool(), planned.block())) {
                items.add(planned.with(RunItem.KEPT, "not among what this run names"));
            } else if (RunScope.isOurs(planned) && !before.contains(Thing.of(planned))) {
                judge(planned, now.get(Thing.of(planned)), items, act);
            }
        }
    }

    /** {@code found}: the orphan of that name as it is found now; null: it is none. */
    private void judge(
            RunItem planned, @Nullable RunItem found, List<RunItem> items, List<RunItem> act) {
        if (!modes.allow(Trigger.PLAN_APPLY, planned.node(), planned.pool())) {
            items.add(off(planned));
        } else if (!planned.rule().equals(Rule.ORPHAN_BLOCK.text())) {
            act.add(planned);
        } else if (found == null) {
            items.add(planned.with(RunItem.NO_LONGER_TRUE, why(planned)));
        } else {
            (found.outcome().equals(RunItem.PLANNED) ? act : items).add(found);
        }
    }

    private String why(RunItem planned) {
        return planned.node() != null && view.node(planned.node()) != null
                ? "node %s is back".formatted(planned.node())
                : "gone already";
    }

    private List<RunItem> find(Selection selection, boolean dryRun) {
        List<RunItem> items = new ArrayList<>();
        for (RunItem item : orphans.find(selection)) {
            items.add(ifAllowed(item, selection, dryRun));
        }
        List<SeenRequest> requests =
                view.requests().stream().sorted(Comparator.comparing(SeenRequest::name)).toList();
        for (SeenRequest request : requests) {
            if (isDue(request)
                    && selection.blocks().isEmpty()
                    && selection.matches(request.node(), request.pool(), null)) {
                RunItem item = strays.collect(request.name(), request.uid(), false);
                if (item != null) {
                    items.add(ifAllowed(item, selection, dryRun));
                }
            }
        }
        return items;
    }

    private boolean isDue(SeenRequest request) {
        Duration in = strays.lookIn(request);
        return in != null && in.isZero();
    }

    private RunItem ifAllowed(RunItem item, Selection selection, boolean dryRun) {
        if (!item.outcome().equals(RunItem.PLANNED)) {
            return item;
        }
        Trigger trigger = dryRun ? Trigger.PLAN_LOOK : Trigger.onDemand(!selection.isAll());
        return modes.allow(trigger, item.node(), item.pool()) ? item : off(item);
    }

    private void act(List<RunItem> act, List<RunItem> items, Consumer<List<RunItem>> told)
            throws InterruptedException {
        List<RunItem> blocks = new ArrayList<>();
        for (RunItem item : act) {
            if (item.rule().equals(Rule.ORPHAN_BLOCK.text())) {
                blocks.add(item);
            } else {
                RunItem done = strays.collect(item.name(), item.uid(), true);
                items.add(
                        done == null
                                ? item.with(RunItem.NO_LONGER_TRUE, "gone, or waited for")
                                : done);
            }
        }
        for (int from = 0; from < blocks.size(); from += STRETCH) {
            items.addAll(
                    orphans.collect(blocks.subList(from, Math.min(blocks.size(), from + STRETCH))));
            told.accept(items);
        }
        told.accept(items);
    }

    private RunItem off(RunItem item) {
        return item.with(
                RunItem.KEPT,
                "collection is " + modes.of(item.node(), item.pool()).text() + " here");
    }
}
