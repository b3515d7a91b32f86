package io.coil.apiserver.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** How long ago something was, in the short form that kubectl's users know. */
final class Age {
    private static final String UNKNOWN = "<unknown>";

    private Age() {}

    /**
     * @param timestamp RFC 3339; anything else gives {@code <unknown>}
     */
    static String since(String timestamp, Instant now) {
        try {
            return of(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeException notATime) {
            return UNKNOWN;
        }
    }

    /** Two units where the second still says something, else one. */
    static String of(Duration age) {
        long seconds = age.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 2920 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String two(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
    }
}
