package io.coil.admin.history;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Locale;

/**
 * Which entries of the audit are asked for. Empty texts and nulls leave it open.
 *
 * @param who a part of the caller's name
 * @param what an action, exactly
 * @param on a part of the name of what was changed
 * @param from the first moment
 * @param to the moment after the last
 */
public record AuditQuery(
        String who, String what, String on, @Nullable Instant from, @Nullable Instant to) {
    public static final AuditQuery ALL = new AuditQuery("", "", "", null, null);

    boolean matches(Noted entry) {
        return contains(entry.caller(), who)
                && (what.isEmpty() || entry.action().equals(what))
                && contains(entry.name(), on)
                && (from == null || !entry.at().isBefore(from))
                && (to == null || entry.at().isBefore(to));
    }

    private static boolean contains(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
