package io.coil.admin.snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;

/** Stamps of the API as instants. */
final class Times {
    private Times() {}

    static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
