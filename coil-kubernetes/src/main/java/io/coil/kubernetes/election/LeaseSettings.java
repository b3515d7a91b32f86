package io.coil.kubernetes.election;

import io.coil.kubernetes.resource.Names;

import java.time.Duration;

/**
 * One lease and one candidate for it. The times are those of Coil v2, which stands for the same
 * lease.
 *
 * @param identity who we are; no two processes, and no two lives of one, share it
 * @param leaseDuration others may take the lease when it was not renewed for so long
 * @param renewDeadline the holder stops leading when it could not renew for so long; less than
 *     {@code leaseDuration}, so that it has stopped before anybody else may begin
 * @param retryPeriod between two tries to take or to renew
 */
public record LeaseSettings(
        String namespace,
        String name,
        String identity,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod) {

    public LeaseSettings {
        if (leaseDuration.compareTo(renewDeadline) <= 0
                || renewDeadline.compareTo(retryPeriod) <= 0
                || retryPeriod.isNegative()
                || retryPeriod.isZero()) {
            throw new IllegalArgumentException(
                    "lease duration %s, renew deadline %s, retry period %s: each must be longer than the next"
                            .formatted(leaseDuration, renewDeadline, retryPeriod));
        }
        if (leaseDuration.toSeconds() < 1 || leaseDuration.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    "lease duration "
                            + leaseDuration
                            + ": a lease lasts whole seconds, at least 1");
        }
    }

    /** Coil's lease of the controllers. */
    public static LeaseSettings controllers(String identity) {
        return new LeaseSettings(
                Names.LEASE_NAMESPACE,
                Names.LEASE,
                identity,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2));
    }

    public LeaseSettings withTimes(Duration lease, Duration renew, Duration retry) {
        return new LeaseSettings(namespace, name, identity, lease, renew, retry);
    }
}
