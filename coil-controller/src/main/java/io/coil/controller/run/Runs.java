package io.coil.controller.run;

import io.coil.controller.garbage.Modes;
import io.coil.controller.view.ClusterView;
import io.coil.controller.work.KeyedWork;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
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

/**
 * Collections on demand: claims each, does our part, gathers the agents' parts from their reports,
 * and closes it when all have answered or the deadline is over. Key: the run's name.
 *
 * <p>A new leader takes a run over: what the former one has written as done stays done, and the
 * rest of our part is done again, which then finds what is left. Its graces begin anew, so it waits
 * for them before: else it would keep all that the former leader was about to collect.
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
    private final Modes modes;
    private final AgentParts parts;
    private final Duration grace;
    private final Duration deadline;

    /** By UID; each is used by the one look at its run. */
    private final Map<String, Open> open = new ConcurrentHashMap<>();

    public Runs(
            KubeApi api,
            ClusterView view,
            Timeline timeline,
            OwnPart ownPart,
            Modes modes,
            Duration grace,
            Duration deadline) {
        this.api = api;
        this.view = view;
        this.known = new Known(api, view);
        this.timeline = timeline;
        this.ownPart = ownPart;
        this.modes = modes;
        this.parts = new AgentParts(api, view);
        this.grace = grace;
        this.deadline = deadline;
    }

    /** A run under way, in this leadership. */
    private static final class Open {
        final long since;
        final boolean takenOver;
        final Gathered gathered;
        boolean ownDone;
        long written;

        Open(long now, boolean takenOver, Gathered gathered) {
            this.since = now;
            this.takenOver = takenOver;
            this.gathered = gathered;
            this.written = now;
        }
    }

    @Override
    public @Nullable Duration at(String name) throws InterruptedException {
        GarbageCollection run = api.get(Kinds.COLLECTIONS, null, name).orElse(null);
        if (run == null || run.finished() || Meta.beingDeleted(run.metadata())) {
            return null;
        }
        GarbageCollection plan = plan(run);
        boolean takenOver = true;
        if (run.status() == null || run.status().phase() == null) {
            String refusal = RunScope.refusal(run, known, plan, timeline.now());
            if (refusal != null) {
                return failed(run, refusal);
            }
            run =
                    write(
                            run,
                            RunStatus.begun(
                                    RunScope.expected(run, known, plan),
                                    modes.said(RunScope.selection(run)),
                                    wallClock()));
            takenOver = false;
            LOG.atInfo().addKeyValue("run", name).log("collection begins");
        }
        if (RunScope.appliesPlan(run) && plan == null) {
            return failed(run, "the plan was deleted before it was applied");
        }
        Open state = state(run, takenOver);
        parts.gather(Meta.uid(run.metadata()), state.gathered);
        if (!state.ownDone) {
            Duration wait = state.takenOver ? ownIn(run, state) : Duration.ZERO;
            if (wait.isPositive()) {
                GarbageCollection _ = progress(run, state, silent(run, state));
                return wait.compareTo(BETWEEN_WRITES) < 0 ? wait : BETWEEN_WRITES;
            }
            run = ownPart(run, plan, state);
            parts.gather(Meta.uid(run.metadata()), state.gathered);
        }
        return goOn(run, plan, state);
    }

    private Open state(GarbageCollection run, boolean takenOver) {
        return open.computeIfAbsent(
                Meta.uid(run.metadata()),
                uid ->
                        new Open(
                                timeline.nanos(),
                                takenOver,
                                Gathered.of(run, node -> parts.of(node, uid))));
    }

    /** What was there when we took over is ripe after our grace; what came later waits as ever. */
    private Duration ownIn(GarbageCollection run, Open state) {
        Duration left = grace.minusNanos(timeline.nanos() - state.since);
        Duration ripe = ownPart.ripeIn(run);
        return ripe.compareTo(left) < 0 ? ripe : left;
    }

    public void gone(String uid) {
        open.remove(uid);
    }

    private @Nullable GarbageCollection plan(GarbageCollection run) {
        String plan = run.spec() == null ? null : run.spec().plan();
        return plan == null ? null : api.get(Kinds.COLLECTIONS, null, plan).orElse(null);
    }

    /** Returns the run as it stands after the progress that was written meanwhile. */
    private GarbageCollection ownPart(
            GarbageCollection run, @Nullable GarbageCollection plan, Open state)
            throws InterruptedException {
        GarbageCollection[] current = {run};
        state.gathered.beginOwnAgain();
        ownPart.carryOut(
                run,
                plan,
                state.gathered.doneAlready(),
                items -> {
                    state.gathered.own(items);
                    current[0] = progress(current[0], state, silent(current[0], state));
                });
        state.ownDone = true;
        // What we have done is on record before anything else happens.
        state.written = timeline.nanos() - BETWEEN_WRITES.toNanos();
        return current[0];
    }

    private @Nullable Duration goOn(
            GarbageCollection run, @Nullable GarbageCollection plan, Open state) {
        Set<String> silent = silent(run, state);
        Duration waited = Duration.ofNanos(timeline.nanos() - state.since);
        Duration left = deadline.minus(waited);
        if (!silent.isEmpty() && left.isPositive()) {
            GarbageCollection _ = progress(run, state, silent);
            return left.compareTo(BETWEEN_WRITES) < 0 ? left : BETWEEN_WRITES;
        }
        GarbageCollection _ =
                write(
                        run,
                        RunStatus.closed(
                                status(run),
                                state.gathered,
                                silent,
                                plan == null ? List.of() : undone(run, plan, state.gathered),
                                waited,
                                wallClock()));
        open.remove(Meta.uid(run.metadata()));
        LOG.atInfo()
                .addKeyValue("run", Meta.name(run.metadata()))
                .addKeyValue("found", state.gathered.found())
                .addKeyValue("done", state.gathered.done())
                .addKeyValue("unanswered", silent.size())
                .log("collection ends");
        return null;
    }

    private GarbageCollection progress(GarbageCollection run, Open state, Set<String> silent) {
        GarbageCollection.Status now = RunStatus.running(status(run), state.gathered, silent);
        Duration sinceWrite = Duration.ofNanos(timeline.nanos() - state.written);
        if (now.equals(status(run)) || sinceWrite.compareTo(BETWEEN_WRITES) < 0) {
            return run;
        }
        GarbageCollection written = write(run, now);
        state.written = timeline.nanos();
        return written;
    }

    /** The nodes that are waited for. */
    private Set<String> silent(GarbageCollection run, Open state) {
        Set<String> silent = new TreeSet<>(RunStatus.expected(status(run)));
        silent.removeAll(state.gathered.answered());
        silent.removeIf(n -> view.node(n) == null);
        return silent;
    }

    /**
     * What the plan has for agents that have not answered: nothing of it is lost without a word.
     */
    private List<RunItem> undone(GarbageCollection run, GarbageCollection plan, Gathered gathered) {
        List<RunItem> items = new ArrayList<>();
        for (RunItem planned : RunScope.planned(plan)) {
            String node = planned.node();
            if (node == null
                    || RunScope.isOurs(planned)
                    || gathered.answered().contains(node)
                    || !RunScope.selection(run).matches(node, planned.pool(), planned.block())) {
                continue;
            }
            items.add(
                    view.node(node) == null
                            ? planned.with(
                                    RunItem.NO_LONGER_TRUE,
                                    "there is no Node named %s any more".formatted(node))
                            : planned.with(
                                    RunItem.FAILED,
                                    "the agent of %s did not answer".formatted(node)));
        }
        return items;
    }

    private @Nullable Duration failed(GarbageCollection run, String why) {
        GarbageCollection _ = write(run, RunStatus.failed(why, wallClock()));
        open.remove(Meta.uid(run.metadata()));
        return null;
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

    /** A conflict means that somebody changed it: the next look reads it again. */
    private GarbageCollection write(GarbageCollection run, GarbageCollection.Status status) {
        try {
            return api.replaceStatus(
                    Kinds.COLLECTIONS,
                    new GarbageCollection(
                            run.apiVersion(), run.kind(), run.metadata(), run.spec(), status));
        } catch (ApiFailure.Stale e) {
            if (e.notFound()) {
                open.remove(Meta.uid(run.metadata()));
            }
            throw e;
        }
    }
}
