package io.coil.agent.collect;

import io.coil.agent.kernel.KernelFailure;
import io.coil.agent.report.Reporter;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.Selection;
import io.coil.core.garbage.Trigger;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Does this node's part in collections that somebody asked for. A part begins when the controller
 * has opened the run, ends in this node's own report, and is done once.
 */
public final class Runs {
    private static final Logger LOG = LoggerFactory.getLogger(Runs.class);
    private static final Duration SLOW = Duration.ofSeconds(10);

    /** What is kept of a run. */
    public record Asked(
            String name,
            String uid,
            Selection selection,
            boolean dryRun,
            @Nullable String plan,
            boolean open,
            @Nullable List<String> expected) {

        public static Asked of(GarbageCollection run) {
            GarbageCollection.Spec spec = run.spec();
            GarbageCollection.Status status = run.status();
            return new Asked(
                    Meta.name(run.metadata()),
                    Meta.uid(run.metadata()),
                    new Selection(
                            names(spec == null ? null : spec.nodes()),
                            names(spec == null ? null : spec.pools()),
                            names(spec == null ? null : spec.blocks())),
                    spec != null && spec.planOnly(),
                    spec == null ? null : spec.plan(),
                    status != null && GarbageCollection.Status.RUNNING.equals(status.phase()),
                    status == null ? null : status.expected());
        }

        private static Set<String> names(@Nullable List<String> list) {
            return list == null ? Set.of() : Set.copyOf(list);
        }
    }

    private final String node;
    private final KubeApi api;
    private final Timeline time;
    private final Collector collector;
    private final Reporter reporter;
    private final Supplier<Map<String, Asked>> watched;
    private final Timeline.Signal signal;
    private final Set<String> begun = new HashSet<>(); // UIDs; only the task of run() touches it

    public Runs(
            String node,
            KubeApi api,
            Timeline time,
            Collector collector,
            Reporter reporter,
            Supplier<Map<String, Asked>> watched) {
        this.node = node;
        this.api = api;
        this.time = time;
        this.collector = collector;
        this.reporter = reporter;
        this.watched = watched;
        this.signal = time.signal();
    }

    /** The watch has shown something. */
    public void changed() {
        signal.raise();
    }

    /**
     * Does what is asked until stopped. Parts that an earlier agent of this node has finished are
     * known from its report.
     */
    public void run() throws InterruptedException {
        begun.addAll(reporter.finishedRuns());
        while (true) {
            Map<String, Asked> shown = watched.get();
            for (Asked run : shown.values()) {
                if (run.open() && isForUs(run) && begun.add(run.uid())) {
                    String name = "run " + run.name();
                    time.start(name, new Persistent(time, name, () -> part(run)));
                }
            }
            reporter.openRuns(shown.values().stream().map(Asked::uid).toList());
            signal.await(SLOW);
        }
    }

    private boolean isForUs(Asked run) {
        return run.selection().matchesNode(node)
                && (run.expected() == null || run.expected().contains(node));
    }

    private void part(Asked run) throws InterruptedException {
        List<RunItem> items;
        try {
            List<Finding> findings =
                    collector.look().stream()
                            .filter(
                                    f ->
                                            run.selection()
                                                    .matches(
                                                            node,
                                                            f.item().pool(),
                                                            f.item().block()))
                            .toList();
            items =
                    run.plan() == null
                            ? direct(run, findings)
                            : applyPlan(run, run.plan(), findings);
        } catch (ApiFailure | KernelFailure e) {
            LOG.atWarn()
                    .addKeyValue("run", run.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("part in a run failed");
            items = List.of(failure(run, String.valueOf(e.getMessage())));
        }
        reporter.finished(result(run, items));
        LOG.atInfo()
                .addKeyValue("run", run.name())
                .addKeyValue("items", items.size())
                .log("part in a run finished");
    }

    private List<RunItem> direct(Asked run, List<Finding> findings) throws InterruptedException {
        List<RunItem> items = new ArrayList<>();
        for (Finding finding : findings) {
            RunItem item = finding.item();
            if (finding.act() instanceof Finding.Act.Report) {
                items.add(item.reported());
            } else if (!finding.ripe()) {
                items.add(item.with(RunItem.KEPT, finding.waitsFor()));
            } else if (run.dryRun()) {
                items.add(item);
            } else if (!triggerOf(run, item).allowedBy(collector.modeFor(item))) {
                items.add(item.with(RunItem.KEPT, forbidden(item)));
            } else {
                items.add(collector.act(finding));
            }
        }
        return items;
    }

    private Trigger triggerOf(Asked run, RunItem item) {
        return Trigger.onDemand(run.selection().names(node, item.pool(), item.block()));
    }

    private String forbidden(RunItem item) {
        return switch (collector.modeFor(item)) {
            case OFF -> "collection is off here";
            case MANUAL ->
                    "collection is manual here: name the node, the pool or the block, or apply a plan";
            case ON -> "";
        };
    }

    /** Exactly the items of the plan that are this node's and still true. */
    private List<RunItem> applyPlan(Asked run, String plan, List<Finding> findings)
            throws InterruptedException {
        List<RunItem> items = new ArrayList<>();
        for (RunItem planned : plannedHere(run, plan)) {
            Finding now =
                    findings.stream()
                            .filter(f -> f.ripe() && same(f.item(), planned))
                            .findFirst()
                            .orElse(null);
            if (now == null) {
                items.add(
                        planned.with(
                                RunItem.NO_LONGER_TRUE, "a look at this node does not find it"));
            } else if (!Trigger.PLAN_APPLY.allowedBy(collector.modeFor(planned))) {
                items.add(planned.with(RunItem.KEPT, "collection is off here"));
            } else {
                items.add(collector.act(now));
            }
        }
        return items;
    }

    /** What the run does not name besides, the controller reports. */
    private List<RunItem> plannedHere(Asked run, String plan) {
        GarbageCollection dryRun =
                api.get(Kinds.COLLECTIONS, null, plan)
                        .orElseThrow(
                                () ->
                                        new ApiFailure.Rejected(
                                                404,
                                                "NotFound",
                                                "there is no plan \"%s\"".formatted(plan)));
        if (dryRun.status() == null || dryRun.status().items() == null) {
            return List.of();
        }
        return dryRun.status().items().stream()
                .filter(i -> node.equals(i.node()) && i.outcome().equals(RunItem.PLANNED))
                .filter(i -> Rule.parse(i.rule()).map(Runs::ours).orElse(false))
                .filter(i -> run.selection().matches(node, i.pool(), i.block()))
                .toList();
    }

    private static boolean ours(Rule rule) {
        return rule.collector() == Rule.Collector.AGENT;
    }

    private static boolean same(RunItem a, RunItem b) {
        return a.rule().equals(b.rule())
                && a.name().equals(b.name())
                && Objects.equals(a.uid(), b.uid());
    }

    private RunItem failure(Asked run, String why) {
        return new RunItem(
                "none",
                "Run",
                run.name(),
                run.uid(),
                null,
                null,
                node,
                null,
                0,
                RunItem.FAILED,
                why);
    }

    private static NodeBlockUsage.Run result(Asked run, List<RunItem> items) {
        List<RunItem> listed = items.subList(0, Math.min(items.size(), RunItem.MOST));
        return new NodeBlockUsage.Run(
                run.name(),
                run.uid(),
                NodeBlockUsage.Run.FINISHED,
                items.size(),
                count(items, RunItem.DONE),
                count(items, RunItem.FAILED),
                List.copyOf(listed),
                items.size() - listed.size());
    }

    private static long count(List<RunItem> items, String outcome) {
        return items.stream().filter(i -> i.outcome().equals(outcome)).count();
    }
}
