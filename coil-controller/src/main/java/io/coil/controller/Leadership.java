package io.coil.controller;

import io.coil.controller.garbage.AgentStates;
import io.coil.controller.garbage.ForcedReleases;
import io.coil.controller.garbage.Modes;
import io.coil.controller.garbage.NodeStates;
import io.coil.controller.garbage.OrphanBlocks;
import io.coil.controller.garbage.Reports;
import io.coil.controller.garbage.Standing;
import io.coil.controller.garbage.StrayRequests;
import io.coil.controller.grant.GrantLog;
import io.coil.controller.grant.Granter;
import io.coil.controller.grant.Ledger;
import io.coil.controller.grant.LiveBlocks;
import io.coil.controller.pool.PoolEvents;
import io.coil.controller.pool.PoolGuard;
import io.coil.controller.pool.PoolMeters;
import io.coil.controller.pool.PoolStatuses;
import io.coil.controller.run.FinishedRuns;
import io.coil.controller.run.OwnPart;
import io.coil.controller.run.Runs;
import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.view.ClusterView;
import io.coil.controller.work.Flights;
import io.coil.controller.work.KeyedWork;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What one term of leading consists of. Everything here is made anew for each term: graces begin
 * anew, and the ledger is rebuilt from the API before the first grant.
 */
final class Leadership {
    private static final int COLLECTIONS_IN_FLIGHT = 16;
    private static final int OTHERS_IN_FLIGHT = 8;

    final Ledger ledger = new Ledger();
    final LiveBlocks liveBlocks;
    final NodeStates nodeStates;
    final AgentStates agentStates;
    final OrphanBlocks orphanBlocks;
    final StrayRequests strayRequests;
    final PoolStatuses poolStatuses;
    final PoolMeters poolMeters;
    final FinishedRuns finishedRuns;
    final Standing standing;
    final Runs runs;

    final Granter granter;
    final KeyedWork<String> grants;
    final KeyedWork<String> pools;
    final KeyedWork<String> orphans;
    final KeyedWork<String> strays;
    final KeyedWork<String> releases;
    final KeyedWork<String> collections;

    Leadership(
            KubeApi api,
            Timeline timeline,
            ControllerSettings settings,
            ClusterView view,
            MeterRegistry meters,
            Events events,
            BooleanSupplier leading) {
        liveBlocks = new LiveBlocks(api, ledger);
        nodeStates = new NodeStates(timeline);
        agentStates = new AgentStates(view, timeline);
        Modes modes = new Modes(settings.collection(), view);
        orphanBlocks =
                new OrphanBlocks(
                        api,
                        view,
                        timeline,
                        modes,
                        new Flights(timeline, COLLECTIONS_IN_FLIGHT),
                        meters,
                        settings.nodeGrace());
        strayRequests = new StrayRequests(api, view, timeline, modes, settings.strayAge());
        poolStatuses =
                new PoolStatuses(
                        api,
                        timeline,
                        view,
                        ledger,
                        new PoolEvents(events),
                        settings.poolStatusInterval(),
                        meters);
        poolMeters = new PoolMeters(meters, view, ledger);
        finishedRuns =
                new FinishedRuns(api, view, timeline, settings.runTtl(), settings.runsKept());
        Reports reports =
                new Reports(
                        view,
                        ledger,
                        nodeStates,
                        agentStates,
                        settings.nodeGrace(),
                        settings.silentAfter());
        standing = new Standing(reports, timeline, events, meters, settings.collectionInterval());
        runs =
                new Runs(
                        api,
                        view,
                        timeline,
                        new OwnPart(view, orphanBlocks, strayRequests, reports, modes),
                        modes,
                        settings.nodeGrace(),
                        settings.runDeadline());

        granter =
                new Granter(
                        api,
                        timeline,
                        view,
                        ledger,
                        liveBlocks,
                        leading,
                        new GrantLog(meters, events));
        grants = new KeyedWork<>(timeline, "grant", settings.grantsInFlight(), leading, granter);
        pools =
                new KeyedWork<>(
                        timeline, "pool guard", OTHERS_IN_FLIGHT, leading, new PoolGuard(api));
        orphans =
                new KeyedWork<>(timeline, "orphans", COLLECTIONS_IN_FLIGHT, leading, orphanBlocks);
        strays =
                new KeyedWork<>(
                        timeline, "stray requests", OTHERS_IN_FLIGHT, leading, strayRequests);
        releases =
                new KeyedWork<>(
                        timeline,
                        "releases",
                        OTHERS_IN_FLIGHT,
                        leading,
                        new ForcedReleases(
                                api, view, nodeStates, settings.nodeGrace(), events, meters));
        collections = new KeyedWork<>(timeline, "collections", OTHERS_IN_FLIGHT, leading, runs);
    }

    List<KeyedWork<String>> works() {
        return List.of(grants, pools, orphans, strays, releases, collections);
    }
}
