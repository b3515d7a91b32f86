package io.coil.admin.web;

import io.coil.admin.snapshot.RunView;
import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A collection in a table. */
public record RunRow(
        String name,
        Stamp created,
        Tag phase,
        @Nullable String askedBy,
        @Nullable String reason,
        String scope,
        long found,
        long done,
        long kept,
        long failed,
        @Nullable String took,
        List<String> unanswered) {

    static RunRow of(RunView run, Instant now) {
        return new RunRow(
                run.name(),
                Stamp.of(run.created(), now),
                Tag.of(run, now),
                run.askedBy(),
                run.reason(),
                scope(run),
                run.found(),
                run.done(),
                run.kept(),
                run.failed(),
                took(run),
                run.unanswered());
    }

    static String scope(RunView run) {
        if (run.plan() != null) {
            return "what " + run.plan() + " lists";
        }
        List<String> parts = new ArrayList<>();
        part(parts, "node", run.nodes());
        part(parts, "pool", run.pools());
        part(parts, "block", run.blocks());
        return parts.isEmpty() ? "everything" : String.join("; ", parts);
    }

    private static void part(List<String> parts, String kind, List<String> names) {
        if (names.size() > 5) {
            parts.add(Spoken.count(names.size(), kind));
        } else if (!names.isEmpty()) {
            parts.add(kind + (names.size() == 1 ? " " : "s ") + String.join(", ", names));
        }
    }

    static @Nullable String took(RunView run) {
        if (run.started() == null || run.finished() == null) {
            return null;
        }
        Duration took = Duration.between(run.started(), run.finished());
        return took.toSeconds() >= 10
                ? Spoken.duration(took)
                : String.format(Locale.ROOT, "%.1f\u00a0s", took.toMillis() / 1000.0);
    }
}
