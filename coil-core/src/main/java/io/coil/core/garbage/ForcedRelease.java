package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the finalizer of a block that somebody deleted may be taken off although its node's agent
 * has not: the machine is dead, its Node object stays.
 */
public sealed interface ForcedRelease {
    /** Its value is {@code <block uid>;<reason>}: the UID makes it good for this block only. */
    String ANNOTATION = "ops.coil.io/force";

    /** The taint by which an operator vouches that the machine is off. */
    String OUT_OF_SERVICE_TAINT = "node.kubernetes.io/out-of-service";

    /** Take the finalizer off; the reason goes into the audit. */
    record Release(String reason) implements ForcedRelease {}

    /** Not yet: look again after that time. */
    record Wait(Duration remaining) implements ForcedRelease {}

    /** No. The reason is a sentence. */
    record Refuse(String reason) implements ForcedRelease {}

    /** The annotation's value taken apart. */
    record Force(String blockUid, String reason) {
        /** Empty if it does not name a UID and a reason. */
        public static Optional<Force> parse(String value) {
            int separator = value.indexOf(';');
            if (separator < 1 || value.substring(separator + 1).isBlank()) {
                return Optional.empty();
            }
            return Optional.of(
                    new Force(
                            value.substring(0, separator).strip(),
                            value.substring(separator + 1).strip()));
        }
    }

    /**
     * @param annotation the value of {@link #ANNOTATION}; null: the block has none
     * @param outOfService the Node carries {@link #OUT_OF_SERVICE_TAINT}
     * @param notReadyFor how long the Node has not been Ready; zero: it is
     * @param grace the least time for which a Node must not have been Ready
     */
    static ForcedRelease decide(
            String blockUid,
            boolean beingDeleted,
            @Nullable String annotation,
            boolean outOfService,
            Duration notReadyFor,
            Duration grace) {
        if (!beingDeleted) {
            return new Refuse("the block is not being deleted: delete it first");
        }
        if (outOfService) {
            return new Release("the node is marked as out of service");
        }
        if (annotation == null) {
            return new Refuse("its node's agent gives it back, and nobody has forced it");
        }
        Force force = Force.parse(annotation).orElse(null);
        if (force == null) {
            return new Refuse(
                    "the annotation %s must be <block uid>;<reason>".formatted(ANNOTATION));
        }
        if (!force.blockUid().equals(blockUid)) {
            return new Refuse(
                    "the annotation %s names the block of UID %s, this one has %s"
                            .formatted(ANNOTATION, force.blockUid(), blockUid));
        }
        if (notReadyFor.isZero()) {
            return new Refuse("the node is Ready: its agent gives the block back");
        }
        return notReadyFor.compareTo(grace) < 0
                ? new Wait(grace.minus(notReadyFor))
                : new Release(force.reason());
    }
}
