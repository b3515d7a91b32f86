package io.coil.admin.snapshot;

import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A collection that somebody asked for, and how far it is. While it runs, what the nodes have
 * answered so far is counted in.
 *
 * @param askedBy who asked, if it was asked for here; null else
 * @param nodes names; none means all (the same for pools and blocks)
 * @param plan the plan that it applies; null if it applies none
 * @param appliedBy the run that applied this plan; null if none did
 * @param rest items beyond those listed
 */
public record RunView(
        String name,
        String uid,
        Instant created,
        @Nullable String askedBy,
        @Nullable String reason,
        List<String> nodes,
        List<String> pools,
        List<String> blocks,
        boolean dryRun,
        @Nullable String plan,
        @Nullable String appliedBy,
        Phase phase,
        @Nullable String message,
        long found,
        long done,
        long failed,
        long kept,
        List<RunItem> items,
        long rest,
        List<String> expected,
        List<String> unanswered,
        @Nullable Instant started,
        @Nullable Instant finished) {
    /** How long after its end a plan can be applied. */
    public static final Duration PLAN_LIFE = Duration.ofMinutes(30);

    /** How far it is. */
    public enum Phase {
        /** The controller has not seen it yet. */
        WAITING,
        RUNNING,
        COMPLETED,
        FAILED
    }

    public boolean over() {
        return phase == Phase.COMPLETED || phase == Phase.FAILED;
    }

    /** Whether this plan can be applied at that time. */
    public boolean applicable(Instant now) {
        return dryRun
                && phase == Phase.COMPLETED
                && appliedBy == null
                && finished != null
                && now.isBefore(finished.plus(PLAN_LIFE));
    }

    /** Items of that outcome among those listed. */
    public long count(String outcome) {
        return items.stream().filter(i -> i.outcome().equals(outcome)).count();
    }
}
