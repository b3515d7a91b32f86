package io.coil.admin.web;

import io.coil.admin.snapshot.Spoken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A time as it is shown: UTC, with the date only if it is not today.
 *
 * @param machine for the {@code datetime} attribute
 * @param ago how long ago it was
 */
public record Stamp(String machine, String text, String ago) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    static Stamp of(Instant time, Instant now) {
        ZonedDateTime at = time.atZone(ZoneOffset.UTC);
        boolean today = at.toLocalDate().equals(LocalDate.ofInstant(now, ZoneOffset.UTC));
        return new Stamp(
                at.format(DateTimeFormatter.ISO_INSTANT),
                at.format(today ? TIME : DAY),
                Spoken.duration(Duration.between(time, now)));
    }

    static @Nullable Stamp orNull(@Nullable Instant time, Instant now) {
        return time == null ? null : of(time, now);
    }
}
