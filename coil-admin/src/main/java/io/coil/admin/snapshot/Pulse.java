package io.coil.admin.snapshot;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Lease;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the controllers' lease every five seconds. A watch may say nothing for a minute and be
 * well, so this is how we know that the API is there; and that somebody leads.
 */
final class Pulse {
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int USUAL_LEASE_SECONDS = 15;

    private final KubeApi api;
    private final Timeline timeline;
    private volatile long answered;
    private volatile @Nullable ApiFailure failure;
    private volatile boolean leads;
    private volatile Timeline.@Nullable Running task;

    /** What the lease said when it was last seen to change; of the pulse's task alone. */
    private @Nullable Object lastRenewal;

    private long renewed;

    Pulse(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
        this.answered = timeline.nanos();
    }

    void start() {
        task = timeline.start("pulse", this::run);
    }

    void stop() {
        Timeline.Running running = task;
        if (running != null) {
            running.stop();
        }
    }

    /** Time since the API last answered. */
    Duration age() {
        return Duration.ofNanos(timeline.nanos() - answered);
    }

    Optional<ApiFailure> lastFailure() {
        return Optional.ofNullable(failure);
    }

    boolean controllerLeads() {
        return leads;
    }

    private void run() throws InterruptedException {
        while (true) {
            try {
                look(api.get(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE));
                answered = timeline.nanos();
                failure = null;
            } catch (ApiFailure e) {
                failure = e;
                // A refusal is an answer: the API is there.
                if (!(e instanceof ApiFailure.Transient)) {
                    answered = timeline.nanos();
                }
            }
            timeline.sleep(timeline.jitter(EVERY, 0.1));
        }
    }

    /** Judged by changes on our own clock: the holder's clock may be another. */
    private void look(Optional<V1Lease> lease) {
        Object renewal =
                lease.map(V1Lease::getSpec)
                        .filter(spec -> spec.getHolderIdentity() != null)
                        .filter(spec -> !spec.getHolderIdentity().isEmpty())
                        .map(spec -> (Object) (spec.getHolderIdentity() + spec.getRenewTime()))
                        .orElse(null);
        if (!Objects.equals(renewal, lastRenewal)) {
            lastRenewal = renewal;
            renewed = timeline.nanos();
        }
        int seconds =
                lease.map(V1Lease::getSpec)
                        .map(spec -> spec.getLeaseDurationSeconds())
                        .orElse(USUAL_LEASE_SECONDS);
        leads =
                renewal != null
                        && timeline.nanos() - renewed
                                < Duration.ofSeconds(seconds).plus(EVERY).toNanos();
    }
}
