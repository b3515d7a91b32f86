package io.coil.controller.run;

import io.coil.controller.garbage.Reports;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenUsage;
import io.coil.controller.work.KeyedWork;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Collections on demand: claims each, does our part, gathers the agents' parts from their reports,
 * and closes it when all have answered or the deadline is over. Key: the run's name.
 *
 * <p>A new leader takes a run over: it does our part again, which then finds what is left, and has
 * the deadline anew.
 */
public final class Runs implements KeyedWork.Look<String> {
    private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

    /** Progress is written at most so often; the end at once. */
    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

    private final KubeApi api;
    private final ClusterView view;
    private final Known known;
    private final Timeline timeline;
    private final OwnPart ownPart;
    private final Duration deadline;

    /** By UID; each is used by the one look at its run. */
    private final Map<String, Open> open = new ConcurrentHashMap<>();

    public Runs(
            KubeApi api, ClusterView view, Timeline timeline, OwnPart ownPart, Duration deadline) {
        this.api = api;
        this.view = view;
        this.known = new Known(api, view);
        this.timeline = timeline;
        this.ownPart = ownPart;
        this.deadline = deadline;
    }

    /** A run under way. */
    private static final class Open {
        final long since;
        @Nullable Gathered gathered;
        long written;

        Open(long now) {
            since = now;
            written = now;
        }
    }

    @Override
    public @Nullable Duration at(String name) throws InterruptedException {
        GarbageCollection run = api.get(Kinds.COLLECTIONS, null, name).orElse(null);
        if (run == null || run.finished() || Meta.beingDeleted(run.metadata())) {
            return null;
        }
        GarbageCollection plan = plan(run);
        if (run.status() == null || run.status().phase() == null) {
            String refusal = RunScope.refusal(run, known, plan, timeline.now());
            if (refusal != null) {
                write(run, failed(refusal));
                return null;
            }
            run = write(run, begun(RunScope.expected(run, known, plan)));
            LOG.atInfo().addKeyValue("run", name).log("collection begins");
        }
        String uid = Meta.uid(run.metadata());
        Open state = open.computeIfAbsent(uid, u -> new Open(timeline.nanos()));
        if (state.gathered == null) {
            state.gathered = new Gathered(plan == null ? own(run) : ownPart.apply(plan));
        }
        gather(uid, state.gathered);
        return goOn(run, state, state.gathered);
    }

    public void gone(String uid) {
        open.remove(uid);
    }

    private List<RunItem> own(GarbageCollection run) throws InterruptedException {
        return ownPart.carryOut(run);
    }

    private @Nullable GarbageCollection plan(GarbageCollection run) {
        String plan = run.spec() == null ? null : run.spec().plan();
        return plan == null ? null : api.get(Kinds.COLLECTIONS, null, plan).orElse(null);
    }

    /** The parts of agents that have finished and that we do not have yet. */
    private void gather(String uid, Gathered gathered) {
        for (SeenUsage usage : view.usages()) {
            if (gathered.answered().contains(usage.node())) {
                continue;
            }
            for (SeenUsage.Part part : usage.parts()) {
                if (part.uid().equals(uid) && part.finished()) {
                    read(usage.node(), uid, gathered);
                }
            }
        }
    }

    private void read(String node, String uid, Gathered gathered) {
        NodeBlockUsage usage = api.get(Kinds.USAGES, null, node).orElse(null);
        if (usage != null && usage.runs() != null) {
            usage.runs().stream()
                    .filter(r -> r.uid().equals(uid))
                    .filter(r -> r.state().equals(NodeBlockUsage.Run.FINISHED))
                    .forEach(r -> gathered.add(node, r));
        }
    }

    private @Nullable Duration goOn(GarbageCollection run, Open state, Gathered gathered) {
        GarbageCollection.Status before = status(run);
        Set<String> silent =
                new TreeSet<>(before.expected() == null ? List.of() : before.expected());
        silent.removeAll(gathered.answered());
        silent.removeIf(n -> view.node(n) == null);
        Duration waited = Duration.ofNanos(timeline.nanos() - state.since);
        Duration left = deadline.minus(waited);
        if (silent.isEmpty() || !left.isPositive()) {
            write(run, status(before, gathered, silent, waited, true));
            open.remove(Meta.uid(run.metadata()));
            LOG.atInfo()
                    .addKeyValue("run", Meta.name(run.metadata()))
                    .addKeyValue("found", gathered.found())
                    .addKeyValue("done", gathered.done())
                    .addKeyValue("unanswered", silent.size())
                    .log("collection ends");
            return null;
        }
        GarbageCollection.Status now = status(before, gathered, silent, waited, false);
        Duration sinceWrite = Duration.ofNanos(timeline.nanos() - state.written);
        if (!now.equals(before) && sinceWrite.compareTo(BETWEEN_WRITES) >= 0) {
            write(run, now);
            state.written = timeline.nanos();
        }
        return left.compareTo(BETWEEN_WRITES) < 0 ? left : BETWEEN_WRITES;
    }

    private GarbageCollection.Status status(
            GarbageCollection.Status before,
            Gathered gathered,
            Set<String> silent,
            Duration waited,
            boolean end) {
        List<RunItem> items = new ArrayList<>(gathered.items());
        List<RunItem> added = end ? silent(silent, items, waited) : List.of();
        items.addAll(added.subList(0, Math.min(added.size(), RunItem.MOST - items.size())));
        long rest = gathered.rest() + added.size() + gathered.items().size() - items.size();
        String message =
                end && !silent.isEmpty()
                        ? "%d of %d nodes have not answered"
                                .formatted(
                                        silent.size(),
                                        before.expected() == null ? 0 : before.expected().size())
                        : null;
        return new GarbageCollection.Status(
                end ? GarbageCollection.Status.COMPLETED : GarbageCollection.Status.RUNNING,
                message,
                gathered.found() + added.size(),
                gathered.done(),
                gathered.failed(),
                gathered.kept(),
                items,
                rest,
                before.expected(),
                List.copyOf(silent),
                before.started(),
                end ? wallClock() : null);
    }

    /** The nodes that have not answered, but for those that are reported as silent anyway. */
    private static List<RunItem> silent(
            Set<String> nodes, List<RunItem> reported, Duration waited) {
        Set<String> known =
                reported.stream()
                        .filter(i -> i.rule().equals(Rule.SILENT_AGENT.text()))
                        .map(RunItem::name)
                        .collect(Collectors.toSet());
        return nodes.stream()
                .filter(n -> !known.contains(n))
                .map(n -> Reports.silent(n, waited))
                .toList();
    }

    private GarbageCollection.Status begun(Set<String> expected) {
        List<String> nodes = List.copyOf(expected);
        return new GarbageCollection.Status(
                GarbageCollection.Status.RUNNING,
                null,
                0,
                0,
                0,
                0,
                null,
                0,
                nodes,
                nodes,
                wallClock(),
                null);
    }

    private GarbageCollection.Status failed(String why) {
        return new GarbageCollection.Status(
                GarbageCollection.Status.FAILED,
                why,
                0,
                0,
                0,
                0,
                null,
                0,
                null,
                null,
                wallClock(),
                wallClock());
    }

    private static GarbageCollection.Status status(GarbageCollection run) {
        GarbageCollection.Status status = run.status();
        if (status == null) {
            throw new IllegalStateException("a run that was begun has a status");
        }
        return status;
    }

    private OffsetDateTime wallClock() {
        return timeline.now().atOffset(ZoneOffset.UTC);
    }

    private GarbageCollection write(GarbageCollection run, GarbageCollection.Status status) {
        try {
            return api.replaceStatus(
                    Kinds.COLLECTIONS,
                    new GarbageCollection(
                            run.apiVersion(), run.kind(), run.metadata(), run.spec(), status));
        } catch (ApiFailure.Stale e) {
            open.remove(e.notFound() ? Meta.uid(run.metadata()) : "");
            throw e;
        }
    }
}
