package io.coil.admin.web;

import io.coil.admin.history.Freed;
import io.coil.admin.history.Holding;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Who had an address, and how exactly that is known.
 *
 * @param from first seen with it
 * @param fromAfter did not have it yet, if that is much earlier; null: it is not, or not known
 * @param fromKnown whether it is known that it did not have it before
 * @param to first seen without it; null: has it
 * @param toAfter last known to have it, if that is much earlier
 * @param ended what is known of the end; empty: nothing
 */
public record HoldingRow(
        String address,
        String pod,
        @Nullable String node,
        @Nullable String block,
        Stamp from,
        @Nullable Stamp fromAfter,
        boolean fromKnown,
        @Nullable Stamp to,
        @Nullable Stamp toAfter,
        String ended) {
    /** Two looks are seldom further apart; a difference below that is not worth a line. */
    private static final Duration USUAL = Duration.ofSeconds(15);

    static HoldingRow of(Holding h, List<Freed> freed, Instant now) {
        return new HoldingRow(
                h.address(),
                h.fullName(),
                h.node(),
                h.block(),
                Stamp.of(h.beganAt(), now),
                muchEarlier(h.beganAfter(), h.beganAt(), now),
                h.beganAfter() != null,
                Stamp.orNull(h.endedAt(), now),
                muchEarlier(h.endedAfter(), h.endedAt(), now),
                ended(h, freed));
    }

    private static @Nullable Stamp muchEarlier(
            @Nullable Instant after, @Nullable Instant at, Instant now) {
        boolean far = after != null && at != null && after.plus(USUAL).isBefore(at);
        return far ? Stamp.orNull(after, now) : null;
    }

    /** A collection that freed it at about that time. */
    private static String ended(Holding h, List<Freed> freed) {
        Instant at = h.endedAt();
        Instant after = h.endedAfter();
        if (at == null || after == null) {
            return "";
        }
        return freed.stream()
                .filter(f -> f.address().equals(h.address()))
                .filter(f -> f.started() == null || f.started().isBefore(at.plus(USUAL)))
                .filter(f -> f.finished() == null || f.finished().isAfter(after.minus(USUAL)))
                .findFirst()
                .map(
                        f ->
                                "freed by collection %s, %s%s"
                                        .formatted(
                                                f.run(),
                                                f.rule(),
                                                f.container() == null
                                                        ? ""
                                                        : ", container " + f.container()))
                .orElse("");
    }
}
