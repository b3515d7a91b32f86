package io.coil.controller;

import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenRequest;
import io.coil.controller.work.KeyedWork;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Backoff;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.election.Duty;
import io.coil.kubernetes.election.Term;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Begins and ends what a leader does. */
final class LeaderDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderDuty.class);
    private static final Duration END = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;

    private final KubeApi api;
    private final Timeline timeline;
    private final ControllerSettings settings;
    private final ClusterView view;
    private final MeterRegistry meters;
    private final Events events;

    /** Set while a term has begun; its parts end in onStopped. */
    private volatile @Nullable Leadership current;

    private final List<Timeline.Running> loops = new ArrayList<>(); // used by one term at a time

    LeaderDuty(
            KubeApi api,
            Timeline timeline,
            ControllerSettings settings,
            ClusterView view,
            MeterRegistry meters,
            Events events) {
        this.api = api;
        this.timeline = timeline;
        this.settings = settings;
        this.view = view;
        this.meters = meters;
        this.events = events;
    }

    /** The ledger is rebuilt and grants go on. */
    private volatile boolean granting;

    boolean granting() {
        return granting;
    }

    @Override
    public void onLeading(Term term) throws InterruptedException {
        while (!view.awaitSynced(Duration.ofMinutes(1))) {
            LOG.atWarn().log("leading, but the API has not shown us everything yet");
        }
        Leadership work = new Leadership(api, timeline, settings, view, meters, events, term::held);
        current = work;
        LeaderChanges changes = new LeaderChanges(view, work, events);
        // First hear of what changes, then read all: nothing falls in between.
        view.follow(changes);
        rebuild(work);
        work.works().forEach(KeyedWork::start);
        changes.lookAtAll();
        granting = true;
        LOG.atInfo().addKeyValue("term", term.number()).log("the ledger is rebuilt, granting");
        loop("pool status", work.poolStatuses::run);
        loop("request poll", () -> pollRequests(work, changes));
        loop("standing findings", work.standing::run);
        loop("periodic collection", () -> collectPeriodically(work, changes));
    }

    @Override
    public void onStopped(Term term) throws InterruptedException {
        granting = false;
        view.follow(null);
        Leadership work = current;
        current = null;
        loops.forEach(Timeline.Running::stop);
        if (work != null) {
            work.works().forEach(KeyedWork::stop);
            for (KeyedWork<String> each : work.works()) {
                each.awaitEnd(END);
            }
            work.poolMeters.end();
        }
        for (Timeline.Running each : loops) {
            each.awaitEnd(END);
        }
        loops.clear();
        if (work != null) {
            work.standing.end();
        }
    }

    /** No grant before a live, consistent list of all blocks, and of what was intended. */
    private void rebuild(Leadership work) throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(3));
        while (true) {
            try {
                work.liveBlocks.readAll();
                work.granter.rememberIntents();
                return;
            } catch (ApiFailure e) {
                LOG.atWarn().addKeyValue("why", e.getMessage()).log("cannot list the blocks yet");
                timeline.sleep(backoff.next(timeline.random(), e));
            }
        }
    }

    private void loop(String name, Timeline.Task task) {
        loops.add(timeline.start(name, task));
    }

    /**
     * Open requests are looked at again, as the watch shows them; each look reads its request live.
     * A watch that has not said a word all that time may have stopped: then they are listed.
     */
    private void pollRequests(Leadership work, LeaderChanges changes) throws InterruptedException {
        while (true) {
            timeline.sleep(timeline.jitter(settings.requestPoll(), JITTER));
            work.granter.promised().stream()
                    .filter(name -> view.request(name) == null)
                    .forEach(work.grants::ask);
            view.requests().forEach(changes::lookAt);
            if (view.requestsSilentFor().compareTo(settings.requestPoll()) >= 0) {
                listRequests(work, changes);
            }
        }
    }

    private void listRequests(Leadership work, LeaderChanges changes) {
        try {
            List<String> kept = work.granter.promised(); // before the list
            Set<String> there = new HashSet<>();
            for (BlockRequest request : api.list(Kinds.REQUESTS, Selection.ALL).items()) {
                there.add(Meta.name(request.metadata()));
                SeenRequest seen = SeenRequest.of(request);
                if (seen != null) {
                    changes.lookAt(seen);
                }
            }
            kept.stream().filter(name -> !there.contains(name)).forEach(work.grants::ask);
        } catch (ApiFailure e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("cannot poll requests");
        }
    }

    /**
     * Everything once more, as the watches show it; what is acted on is read live then, by its
     * name. All blocks are listed by the watch alone, when it starts or cannot go on.
     */
    private void collectPeriodically(Leadership work, LeaderChanges changes)
            throws InterruptedException {
        while (true) {
            work.finishedRuns.collect();
            timeline.sleep(timeline.jitter(settings.collectionInterval(), JITTER));
            work.orphanBlocks.forgetOthers();
            view.nodesWithBlocks().stream()
                    .filter(n -> view.node(n) == null)
                    .forEach(work.orphans::ask);
            changes.lookAtAll();
        }
    }
}
