package io.coil.admin.history;

import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A collection that is over, as it was kept; its object may be gone.
 *
 * @param scope nodes, pools and blocks that it was for, as people read it
 * @param phase {@code COMPLETED} or {@code FAILED}
 * @param rest items beyond those listed
 * @param unanswered nodes that gave no answer, with commas between them
 */
public record PastRun(
        String uid,
        String name,
        Instant created,
        @Nullable String askedBy,
        @Nullable String reason,
        String scope,
        boolean dryRun,
        @Nullable String plan,
        String phase,
        @Nullable String message,
        long found,
        long done,
        long failed,
        long kept,
        long rest,
        String unanswered,
        @Nullable Instant started,
        @Nullable Instant finished,
        List<RunItem> items) {

    PastRun with(List<RunItem> all) {
        return new PastRun(
                uid,
                name,
                created,
                askedBy,
                reason,
                scope,
                dryRun,
                plan,
                phase,
                message,
                found,
                done,
                failed,
                kept,
                rest,
                unanswered,
                started,
                finished,
                all);
    }
}
