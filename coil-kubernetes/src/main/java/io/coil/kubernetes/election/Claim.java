package io.coil.kubernetes.election;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/**
 * Our hold on the lease. Whether another's has run out is measured on our own monotonic clock from
 * when we first saw its last renewal: the times written in the lease are for people, clocks of
 * machines differ.
 *
 * <p>Used by one task at a time.
 */
final class Claim {
    /** How a try ended. */
    sealed interface Result {
        /** We hold it; {@code sent} is the monotonic time before the write was sent. */
        record Held(long sent, int transitions) implements Result {}

        /** Somebody else does. */
        record Others(String holder) implements Result {}

        /** Not known. */
        record Failed(ApiFailure why) implements Result {}
    }

    private final KubeApi api;
    private final Timeline timeline;
    private final LeaseSettings settings;

    private @Nullable V1Lease last;
    private @Nullable V1LeaseSpec observed;
    private long observedAt;

    Claim(KubeApi api, Timeline timeline, LeaseSettings settings) {
        this.api = api;
        this.timeline = timeline;
        this.settings = settings;
    }

    /** Takes the lease if it is free. */
    Result take() {
        try {
            return tryToTake();
        } catch (ApiFailure e) {
            return new Result.Failed(e);
        }
    }

    /** Renews it: by one write, or, if it is not what we wrote last, after a look. */
    Result renew() {
        try {
            V1Lease ours = last;
            if (ours != null) {
                long sent = timeline.nanos();
                return held(
                        sent,
                        api.replace(
                                Kinds.LEASES, LeaseRecord.renewed(ours, settings, timeline.now())));
            }
            return tryToTake();
        } catch (ApiFailure e) {
            last = null;
            return new Result.Failed(e);
        }
    }

    /** Gives it back; false if it is not ours any more. */
    boolean release() {
        Optional<V1Lease> lease =
                api.get(Kinds.LEASES, settings.namespace(), settings.name())
                        .filter(l -> settings.identity().equals(LeaseRecord.holder(l)));
        lease.ifPresent(l -> api.replace(Kinds.LEASES, LeaseRecord.released(l, timeline.now())));
        last = null;
        return lease.isPresent();
    }

    private Result tryToTake() {
        Optional<V1Lease> read = api.get(Kinds.LEASES, settings.namespace(), settings.name());
        long sent = timeline.nanos();
        if (read.isEmpty()) {
            return held(
                    sent, api.create(Kinds.LEASES, LeaseRecord.fresh(settings, timeline.now())));
        }
        V1Lease lease = read.get();
        observe(lease);
        String holder = LeaseRecord.holder(lease);
        if (settings.identity().equals(holder)) {
            return held(
                    sent,
                    api.replace(
                            Kinds.LEASES, LeaseRecord.renewed(lease, settings, timeline.now())));
        }
        if (holder != null && !ranOut(lease)) {
            return new Result.Others(holder);
        }
        return held(
                sent,
                api.replace(Kinds.LEASES, LeaseRecord.taken(lease, settings, timeline.now())));
    }

    private Result held(long sent, V1Lease written) {
        last = written;
        observe(written);
        return new Result.Held(sent, LeaseRecord.transitions(written));
    }

    private void observe(V1Lease lease) {
        if (!Objects.equals(observed, lease.getSpec())) {
            observed = lease.getSpec();
            observedAt = timeline.nanos();
        }
    }

    private boolean ranOut(V1Lease lease) {
        long span = LeaseRecord.duration(lease, settings.leaseDuration()).toNanos();
        return timeline.nanos() - observedAt > span;
    }
}
