package io.coil.admin.history;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Values as columns hold them. */
final class Columns {
    private Columns() {}

    static @Nullable OffsetDateTime time(@Nullable Instant time) {
        return time == null ? null : Differences.millis(time).atOffset(ZoneOffset.UTC);
    }

    static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** As much of a text as fits; what people read goes on with an ellipsis. */
    static @Nullable String cut(@Nullable String text, int most) {
        if (text == null) {
            return null;
        }
        // PostgreSQL keeps every character but this one.
        String clean = text.replace('\0', ' ');
        return clean.length() <= most ? clean : clean.substring(0, most - 1) + "…";
    }
}
