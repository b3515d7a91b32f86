package io.coil.admin.snapshot;

import java.text.NumberFormat;
import java.time.Duration;
import java.util.Locale;

/** Numbers and times as people read them. */
public final class Spoken {
    private static final String NARROW = "\u00a0";

    private Spoken() {}

    /** The two largest units: {@code 2 d 4 h}, {@code 5 min}, {@code 7 s}; never negative. */
    public static String duration(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + NARROW + "s";
        }
        if (seconds < 600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 3600) {
            return seconds / 60 + NARROW + "min";
        }
        if (seconds < 86_400) {
            return two(seconds / 3600, "h", seconds / 60 % 60, "min");
        }
        return two(seconds / 86_400, "d", seconds / 3600 % 24, "h");
    }

    private static String two(long more, String big, long less, String small) {
        String head = more + NARROW + big;
        return less == 0 ? head : head + NARROW + less + NARROW + small;
    }

    /** {@code 1,733}. */
    public static String number(Number number) {
        return NumberFormat.getIntegerInstance(Locale.ROOT).format(number);
    }

    /** {@code 1 block}, {@code 3 blocks}, {@code 2 addresses}. */
    public static String count(long number, String what) {
        String plural = what.endsWith("s") ? what + "es" : what + "s";
        return number(number) + " " + (number == 1 ? what : plural);
    }
}
