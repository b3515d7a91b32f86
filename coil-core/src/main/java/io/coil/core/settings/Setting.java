package io.coil.core.settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One setting: how it is called, what it is when nobody sets it, what it may be.
 *
 * @param fallback the default as text; null: none
 * @param allowed completes "allowed is ..."
 * @param what one line for the manual
 * @param read returns null for what is not allowed
 */
public record Setting<T>(
        String name,
        @Nullable String fallback,
        String allowed,
        String what,
        Function<String, @Nullable T> read) {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    public static Setting<Duration> duration(
            String name, String fallback, String least, String most, String what) {
        Duration low = durationOf(least);
        Duration high = durationOf(most);
        return new Setting<>(
                name,
                fallback,
                "a time between %s and %s, written like 500ms, 10s, 2m, 1h".formatted(least, most),
                what,
                text -> {
                    Matcher match = DURATION.matcher(text);
                    if (!match.matches()) {
                        return null;
                    }
                    Duration value = durationOf(text);
                    return value.compareTo(low) < 0 || value.compareTo(high) > 0 ? null : value;
                });
    }

    public static Setting<Integer> number(
            String name, String fallback, int least, int most, String what) {
        return new Setting<>(
                name,
                fallback,
                "a whole number between %d and %d".formatted(least, most),
                what,
                text -> {
                    try {
                        int value = Integer.parseInt(text);
                        return value < least || value > most ? null : value;
                    } catch (NumberFormatException e) {
                        return null;
                    }
                });
    }

    /** A TCP port; 0: any free one; -1 ({@code off}): none. */
    public static Setting<Integer> port(String name, String fallback, String what) {
        return new Setting<>(
                name,
                fallback,
                "a port between 0 and 65535 (0: any free one), or off",
                what,
                text -> {
                    if (text.equals("off")) {
                        return -1;
                    }
                    return number(name, fallback, 0, 65535, what).read().apply(text);
                });
    }

    public static <E extends Enum<E>> Setting<E> choice(
            String name, String fallback, Class<E> type, String what) {
        E[] all = type.getEnumConstants();
        String names =
                String.join(", ", Arrays.stream(all).map(Setting::word).toArray(String[]::new));
        return new Setting<>(
                name,
                fallback,
                "one of " + names,
                what,
                text ->
                        Arrays.stream(all)
                                .filter(e -> word(e).equals(text))
                                .findFirst()
                                .orElse(null));
    }

    public static Setting<String> text(String name, @Nullable String fallback, String what) {
        return new Setting<>(
                name, fallback, "a text that is not empty", what, t -> t.isBlank() ? null : t);
    }

    public static Setting<Boolean> flag(String name, String fallback, String what) {
        return new Setting<>(
                name,
                fallback,
                "true or false",
                what,
                text ->
                        switch (text) {
                            case "true" -> Boolean.TRUE;
                            case "false" -> Boolean.FALSE;
                            default -> null;
                        });
    }

    private static String word(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT);
    }

    /** The value; null if there is neither one nor a default. */
    public @Nullable T orNull(Function<String, @Nullable String> values) {
        String text = values.apply(name);
        if (text == null) {
            text = fallback;
        }
        if (text == null) {
            return null;
        }
        T value = read.apply(text.strip());
        if (value == null) {
            throw new BadSettingException(name, text, allowed);
        }
        return value;
    }

    /** The value, or the default. */
    public T from(Function<String, @Nullable String> values) {
        T value = orNull(values);
        if (value == null) {
            throw new BadSettingException(name, "", allowed + "; it has no default");
        }
        return value;
    }

    private static Duration durationOf(String text) {
        Matcher match = DURATION.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException(text);
        }
        long number = Long.parseLong(match.group(1));
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
