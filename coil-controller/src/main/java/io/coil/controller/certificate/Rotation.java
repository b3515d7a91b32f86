package io.coil.controller.certificate;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * What is to be done with the pairs in the Secret. Two replicas may decide the same at once: the
 * Secret's resourceVersion lets one of them write.
 *
 * <p>No call is ever refused because of the certificate: a new one is trusted by all callers before
 * any replica serves it, and an old one is trusted as long as it is good.
 */
sealed interface Rotation {
    /** There is none that can be served: make one. */
    record Begin() implements Rotation {}

    /** The current one ends soon: make the next one, and have it trusted. */
    record Prepare() implements Rotation {}

    /** The next one has been trusted for long enough: it becomes the current one. */
    record Promote() implements Rotation {}

    /** Nothing, but look whether callers trust all that they must. */
    record Keep() implements Rotation {}

    /**
     * @param renew how long before the end of the current one the next one is made
     * @param nextTrustedFor how long the configurations have trusted the next one, by the clock of
     *     whoever decides; null: not all do
     * @param settle how long callers may take to hear of a changed configuration
     */
    static Rotation decide(
            SecretContent content,
            Instant now,
            Duration renew,
            @Nullable Duration nextTrustedFor,
            Duration settle) {
        CertificatePair current = content.current();
        CertificatePair next = content.next();
        boolean follows = next != null && next.isGoodAt(now);
        if (current == null || !current.isGoodAt(now)) {
            return follows ? new Promote() : new Begin();
        }
        if (follows) {
            return nextTrustedFor != null && nextTrustedFor.compareTo(settle) >= 0
                    ? new Promote()
                    : new Keep();
        }
        boolean due = !now.isBefore(current.end().minus(renew));
        return due ? new Prepare() : new Keep();
    }
}
