package io.coil.controller.view;

import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A collection on demand, without its items.
 *
 * @param finished when it ended; null while it has not
 */
public record SeenRun(
        String name, String uid, boolean dryRun, boolean open, @Nullable Instant finished) {

    public static SeenRun of(GarbageCollection run) {
        OffsetDateTime finished = run.status() == null ? null : run.status().finished();
        OffsetDateTime created = run.metadata().getCreationTimestamp();
        OffsetDateTime ended = finished == null ? created : finished;
        return new SeenRun(
                Meta.name(run.metadata()),
                Meta.uid(run.metadata()),
                run.spec() != null && run.spec().planOnly(),
                !run.finished(),
                run.finished() && ended != null ? ended.toInstant() : null);
    }
}
