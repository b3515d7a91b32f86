package io.coil.admin.web;

import io.coil.admin.history.Freed;
import io.coil.admin.history.History;
import io.coil.admin.history.Holding;
import io.coil.admin.history.Watched;
import io.coil.admin.snapshot.Spoken;
import io.coil.core.net.Address;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Answers about who had an address, in sentences and rows. */
@Component
class PastHolders {
    private final History history;
    private final Timeline timeline;

    PastHolders(History history, Timeline timeline) {
        this.history = history;
        this.timeline = timeline;
    }

    /** Everybody who had it, newest first. */
    Told<HoldingRow> all(List<Address> addresses) {
        return Told.of(
                () -> {
                    List<Freed> freed = history.freed(addresses);
                    return rows(history.holders(addresses), freed);
                });
    }

    /** What pods of that name had; {@code NAMESPACE/NAME} or a name. */
    Told<HoldingRow> ofPod(String text) {
        int slash = text.indexOf('/');
        String namespace = slash < 0 ? null : text.substring(0, slash);
        return Told.of(() -> rows(history.ofPod(namespace, text.substring(slash + 1)), List.of()));
    }

    private List<HoldingRow> rows(List<Holding> holdings, List<Freed> freed) {
        Instant now = timeline.now();
        return holdings.stream().map(h -> HoldingRow.of(h, freed, now)).toList();
    }

    /** A time as a browser's field gives it, or with its zone; UTC if it has none. */
    Optional<Instant> time(String text) {
        try {
            return Optional.of(
                    text.endsWith("Z")
                            ? Instant.parse(text)
                            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Who had it at that time, in sentences. */
    Told<String> at(List<Address> addresses, String text) {
        Optional<Instant> time = time(text);
        if (time.isEmpty()) {
            return new Told<>(
                    List.of(), "\"" + text + "\" is no time; one is 2026-12-01T10:03, in UTC.");
        }
        return Told.of(() -> sentences(addresses, time.get()));
    }

    private List<String> sentences(List<Address> addresses, Instant time) {
        List<String> said = new ArrayList<>();
        for (Holding holding : history.holdersAt(addresses, time)) {
            String where = holding.node() == null ? "" : " on " + holding.node();
            said.add(
                    holding.certainAt(time)
                            ? "Pod %s%s had it then.".formatted(holding.fullName(), where)
                            : "Pod %s%s may have had it then: %s."
                                    .formatted(holding.fullName(), where, doubt(holding, time)));
        }
        // A pod has both addresses of a pair, and is named once.
        said = new ArrayList<>(new LinkedHashSet<>(said));
        if (said.isEmpty()) {
            said.add("As far as was seen, nobody had it then.");
        }
        unwatched(time).ifPresent(said::add);
        return said;
    }

    private String doubt(Holding holding, Instant time) {
        Instant now = timeline.now();
        if (time.isBefore(holding.beganAt())) {
            return "it was first seen with it at " + Stamp.of(holding.beganAt(), now).text();
        }
        Instant last = holding.endedAfter();
        return "it was last seen with it at "
                + (last == null ? "a time not known" : Stamp.of(last, now).text());
    }

    private Optional<String> unwatched(Instant time) {
        Instant now = timeline.now();
        Optional<Watched> watched = history.watched();
        if (watched.isEmpty() || time.isBefore(watched.get().from())) {
            return Optional.of(
                    watched.map(
                                    w ->
                                            "History goes back to %s only."
                                                    .formatted(Stamp.of(w.from(), now).text()))
                            .orElse("Watching has not begun."));
        }
        return history.blind(time, time.plusMillis(1)).stream()
                .findFirst()
                .map(
                        w ->
                                "Nobody watched from %s to %s."
                                        .formatted(
                                                Stamp.of(w.from(), now).text(),
                                                Stamp.of(w.to(), now).text()));
    }

    /** How far back one can ask. */
    @Nullable String reach() {
        Told<Watched> watched = Told.of(() -> history.watched().stream().toList());
        return watched.rows().isEmpty()
                ? null
                : "History goes back to %s, and is kept for %s."
                        .formatted(
                                Stamp.of(watched.rows().getFirst().from(), timeline.now()).text(),
                                Spoken.duration(history.retention()));
    }
}
