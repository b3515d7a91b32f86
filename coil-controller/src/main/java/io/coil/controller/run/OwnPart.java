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
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The controller's part of a run: orphan blocks, stray requests, and what is only reported. */
public final class OwnPart {
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

    /** Finds, and acts unless it is a dry run. */
    List<RunItem> carryOut(GarbageCollection run) throws InterruptedException {
        Selection selection = RunScope.selection(run);
        boolean dryRun = run.spec() != null && run.spec().planOnly();
        List<RunItem> found = find(selection, dryRun);
        List<RunItem> items = new ArrayList<>(dryRun ? found : act(found));
        items.addAll(reports.find(selection));
        return items;
    }

    /** Exactly the items of the plan that are ours, and of those what is still true. */
    List<RunItem> apply(GarbageCollection plan) throws InterruptedException {
        List<RunItem> items = new ArrayList<>();
        List<RunItem> blocks = new ArrayList<>();
        List<RunItem> now = orphans.find(Selection.ALL);
        for (RunItem planned : RunScope.items(plan)) {
            if (!planned.outcome().equals(RunItem.PLANNED) || !RunScope.isOurs(planned)) {
                continue;
            }
            if (!modes.allow(Trigger.PLAN_APPLY, planned.node(), planned.pool())) {
                items.add(off(planned));
            } else if (planned.rule().equals(Rule.ORPHAN_BLOCK.text())) {
                Optional<RunItem> still = now.stream().filter(i -> same(i, planned)).findFirst();
                still.filter(i -> i.outcome().equals(RunItem.PLANNED)).ifPresent(blocks::add);
                still.filter(i -> !i.outcome().equals(RunItem.PLANNED)).ifPresent(items::add);
                if (still.isEmpty()) {
                    items.add(planned.with(RunItem.NO_LONGER_TRUE, null));
                }
            } else if (planned.rule().equals(Rule.STRAY_REQUEST.text())) {
                RunItem done = strays.collect(planned.name(), planned.uid(), true);
                items.add(done == null ? planned.with(RunItem.NO_LONGER_TRUE, null) : done);
            }
        }
        items.addAll(orphans.collect(blocks));
        return items;
    }

    private List<RunItem> find(Selection selection, boolean dryRun) {
        List<RunItem> items = new ArrayList<>();
        for (RunItem item : orphans.find(selection)) {
            items.add(ifAllowed(item, selection, dryRun));
        }
        for (SeenRequest request : view.requests()) {
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

    private List<RunItem> act(List<RunItem> found) throws InterruptedException {
        List<RunItem> results = new ArrayList<>();
        List<RunItem> blocks = new ArrayList<>();
        for (RunItem item : found) {
            if (!item.outcome().equals(RunItem.PLANNED)) {
                results.add(item);
            } else if (item.rule().equals(Rule.ORPHAN_BLOCK.text())) {
                blocks.add(item);
            } else {
                @Nullable RunItem done = strays.collect(item.name(), item.uid(), true);
                results.add(done == null ? item.with(RunItem.NO_LONGER_TRUE, null) : done);
            }
        }
        results.addAll(orphans.collect(blocks));
        return results;
    }

    private RunItem off(RunItem item) {
        return item.with(
                RunItem.KEPT,
                "collection is " + modes.of(item.node(), item.pool()).text() + " here");
    }

    private static boolean same(RunItem a, RunItem b) {
        return a.rule().equals(b.rule())
                && a.name().equals(b.name())
                && Objects.equals(a.uid(), b.uid());
    }
}
