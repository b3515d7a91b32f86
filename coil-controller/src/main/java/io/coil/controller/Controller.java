package io.coil.controller;

import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.settings.LeaseTimes;
import io.coil.controller.view.ClusterView;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.election.LeaderElection;
import io.coil.kubernetes.election.LeaseSettings;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The controller without its surroundings: watches, stands for the lease, and does what a leader
 * does. All that it does to the world goes through {@code api}; all waiting through {@code
 * timeline}.
 */
public final class Controller {
    private static final Duration END = Duration.ofSeconds(20);

    private final ClusterView view;
    private final Events events;
    private final LeaderDuty duty;
    private final LeaderElection election;

    public Controller(
            KubeApi api, Timeline timeline, ControllerSettings settings, MeterRegistry meters) {
        view = new ClusterView(api, timeline);
        events = new Events(api, timeline, "coil-controller", settings.identity());
        duty = new LeaderDuty(api, timeline, settings, view, meters, events);
        LeaseTimes lease = settings.lease();
        election =
                new LeaderElection(
                        api,
                        timeline,
                        LeaseSettings.controllers(settings.identity())
                                .withTimes(lease.duration(), lease.renewDeadline(), lease.retry()),
                        duty);
    }

    public void start() {
        view.start();
        events.start();
        election.start();
    }

    /** Ends the term, gives the lease back, stops watching. */
    public void stop() throws InterruptedException {
        election.stop(END);
        events.stop();
        view.stop();
    }

    /** What the watches show; on every replica, leader or not. */
    public ClusterView view() {
        return view;
    }

    public boolean isLeader() {
        return election.isLeader();
    }

    /** Leader, and the ledger has been rebuilt. */
    public boolean isGranting() {
        return duty.granting() && election.isLeader();
    }

    public @Nullable String leader() {
        return election.holder();
    }
}
