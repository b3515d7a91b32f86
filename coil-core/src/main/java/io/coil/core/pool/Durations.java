package io.coil.core.pool;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them in Kubernetes: {@code 30s}, {@code 5m}, {@code 1h30m}, {@code
 * 500ms}.
 */
public final class Durations {
    private static final Pattern PARTS =
            Pattern.compile(
                    "(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    private Durations() {}

    /** Empty if the text is no such duration; {@code 0} alone is one. */
    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher matcher = PARTS.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(
                Duration.ofHours(number(matcher, 1))
                        .plusMinutes(number(matcher, 2))
                        .plusSeconds(number(matcher, 3))
                        .plusMillis(number(matcher, 4)));
    }

    private static long number(Matcher matcher, int group) {
        String digits = matcher.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
