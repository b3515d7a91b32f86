package io.coil.admin.actuate;

import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.SnapshotKeeper;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code /actuator/collections}: what was asked for, newest first, in numbers. */
@Endpoint(id = "collections")
final class CollectionsEndpoint {
    private final SnapshotKeeper keeper;

    CollectionsEndpoint(SnapshotKeeper keeper) {
        this.keeper = keeper;
    }

    /** All of it; {@code asOf} null: nothing has been read yet. */
    record Descriptor(@Nullable Instant asOf, List<Run> collections) {}

    /** One collection. */
    record Run(
            String name,
            String phase,
            boolean dryRun,
            long found,
            long done,
            long kept,
            long failed,
            List<String> unanswered,
            @Nullable Instant started,
            @Nullable Instant finished) {}

    @ReadOperation
    Descriptor collections() {
        return keeper.current()
                .map(
                        c ->
                                new Descriptor(
                                        c.asOf(),
                                        c.snapshot().runs().values().stream()
                                                .map(CollectionsEndpoint::run)
                                                .toList()))
                .orElseGet(() -> new Descriptor(null, List.of()));
    }

    private static Run run(RunView run) {
        return new Run(
                run.name(),
                run.phase().name().toLowerCase(Locale.ROOT),
                run.dryRun(),
                run.found(),
                run.done(),
                run.kept(),
                run.failed(),
                run.unanswered(),
                run.started(),
                run.finished());
    }
}
