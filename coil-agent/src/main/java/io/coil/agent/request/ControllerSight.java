package io.coil.agent.request;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a controller is there that could grant a block, by its lease. Read only while somebody
 * asks, every two lives of a lease; judged by changes, on our own clock, since the holder's may be
 * another.
 *
 * <p>In doubt there is one: "none" is said when the lease has not been seen to move for four of its
 * lives in which somebody asked.
 */
public final class ControllerSight {
    private static final Duration USUAL_LIFE = Duration.ofSeconds(15);
    private static final int READ_EVERY = 2;
    private static final int GONE_AFTER = 4;

    private final KubeApi api;
    private final Timeline time;
    private final Object lock = new Object();
    // all guarded by lock
    private @Nullable Object renewal; // as it was seen last
    private Duration life = USUAL_LIFE;
    private @Nullable Long movedAt;
    private long askedAt;
    private long readAt;
    private boolean reading;

    public ControllerSight(KubeApi api, Timeline time) {
        this.api = api;
        this.time = time;
    }

    /** Why no block can be got, or null. Answers from what is known; reads beside. */
    public @Nullable String absent() {
        boolean read;
        boolean absent;
        synchronized (lock) {
            long now = time.nanos();
            boolean known = movedAt != null && now - askedAt < lives(GONE_AFTER);
            askedAt = now;
            if (!known) {
                movedAt = now; // nobody looked meanwhile: its time begins anew
            }
            read = !reading && (!known || now - readAt >= lives(READ_EVERY));
            reading |= read;
            absent = now - Objects.requireNonNull(movedAt) >= lives(GONE_AFTER);
        }
        if (read) {
            Timeline.Running _ = time.start("lease of the controllers", this::read);
        }
        return absent
                ? "no controller has renewed the lease %s/%s for long"
                        .formatted(Names.LEASE_NAMESPACE, Names.LEASE)
                : null;
    }

    private void read() {
        try {
            Optional<V1Lease> lease = api.get(Kinds.LEASES, Names.LEASE_NAMESPACE, Names.LEASE);
            note(lease.map(V1Lease::getSpec).orElse(null));
        } catch (ApiFailure.Rejected e) {
            moved(); // we may not know
        } catch (ApiFailure e) {
            // An API that is away grants nothing either: its time goes on.
        } finally {
            synchronized (lock) {
                reading = false;
                readAt = time.nanos();
            }
        }
    }

    private void note(@Nullable V1LeaseSpec spec) {
        String holder = spec == null ? null : spec.getHolderIdentity();
        if (spec == null || holder == null || holder.isEmpty()) {
            return; // given back: the next one has time to take it
        }
        Object now = holder + spec.getRenewTime();
        synchronized (lock) {
            Integer seconds = spec.getLeaseDurationSeconds();
            life = seconds == null ? USUAL_LIFE : Duration.ofSeconds(seconds);
            if (now.equals(renewal)) {
                return;
            }
            renewal = now;
        }
        moved();
    }

    private void moved() {
        synchronized (lock) {
            movedAt = time.nanos();
        }
    }

    private long lives(int count) {
        return life.multipliedBy(count).toNanos();
    }
}
