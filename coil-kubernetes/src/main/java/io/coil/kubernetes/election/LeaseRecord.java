package io.coil.kubernetes.election;

import io.coil.kubernetes.api.Kinds;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Reads and makes leases, the way that all of Kubernetes' controllers do. */
final class LeaseRecord {
    private LeaseRecord() {}

    /** Null: free, or given back. */
    static @Nullable String holder(V1Lease lease) {
        String holder = lease.getSpec() == null ? null : lease.getSpec().getHolderIdentity();
        return holder == null || holder.isEmpty() ? null : holder;
    }

    /** What its holder promised, else {@code ours}. */
    static Duration duration(V1Lease lease, Duration ours) {
        Integer seconds =
                lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
        return seconds == null ? ours : Duration.ofSeconds(seconds);
    }

    static int transitions(V1Lease lease) {
        Integer count = lease.getSpec() == null ? null : lease.getSpec().getLeaseTransitions();
        return count == null ? 0 : count;
    }

    static V1Lease fresh(LeaseSettings settings, Instant now) {
        return new V1Lease()
                .apiVersion(Kinds.LEASES.apiVersion())
                .kind(Kinds.LEASES.kind())
                .metadata(new V1ObjectMeta().namespace(settings.namespace()).name(settings.name()))
                .spec(held(new V1LeaseSpec(), settings, now).acquireTime(time(now)));
    }

    /** {@code lease}, held by us from now on. */
    static V1Lease taken(V1Lease lease, LeaseSettings settings, Instant now) {
        V1LeaseSpec spec = held(new V1LeaseSpec(), settings, now).acquireTime(time(now));
        return with(lease, spec.leaseTransitions(transitions(lease) + 1));
    }

    /** {@code lease}, which we hold, held for another while. */
    static V1Lease renewed(V1Lease lease, LeaseSettings settings, Instant now) {
        V1LeaseSpec old = lease.getSpec() == null ? new V1LeaseSpec() : lease.getSpec();
        V1LeaseSpec spec = held(new V1LeaseSpec(), settings, now);
        return with(
                lease, spec.acquireTime(old.getAcquireTime()).leaseTransitions(transitions(lease)));
    }

    /** {@code lease}, free for anybody at once. */
    static V1Lease released(V1Lease lease, Instant now) {
        return with(
                lease,
                new V1LeaseSpec()
                        .holderIdentity("")
                        .leaseDurationSeconds(1)
                        .leaseTransitions(transitions(lease))
                        .acquireTime(time(now))
                        .renewTime(time(now)));
    }

    private static V1LeaseSpec held(V1LeaseSpec spec, LeaseSettings settings, Instant now) {
        return spec.holderIdentity(settings.identity())
                .leaseDurationSeconds((int) settings.leaseDuration().toSeconds())
                .leaseTransitions(0)
                .renewTime(time(now));
    }

    private static V1Lease with(V1Lease lease, V1LeaseSpec spec) {
        return new V1Lease()
                .apiVersion(Kinds.LEASES.apiVersion())
                .kind(Kinds.LEASES.kind())
                .metadata(lease.getMetadata())
                .spec(spec);
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
