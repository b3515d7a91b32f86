package io.coil.core.pool;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How far collection may go, from lenient to strict. It can be set globally, per node, per pool.
 */
public enum CollectionMode {
    /** Everything collects: periodically, by event, on demand. */
    ON,
    /** Only what a person asks for by name, or by applying a plan. */
    MANUAL,
    /** Nothing collects, on demand neither. */
    OFF;

    /** The strictest of all that apply; {@link #ON} if none does. */
    public static CollectionMode strictest(CollectionMode... modes) {
        return strictest(List.of(modes));
    }

    /** As {@link #strictest(CollectionMode...)}. */
    public static CollectionMode strictest(Collection<CollectionMode> modes) {
        return modes.stream().max(CollectionMode::compareTo).orElse(ON);
    }

    /** Reads {@code on}, {@code manual} or {@code off}. */
    public static Optional<CollectionMode> parse(String text) {
        for (CollectionMode mode : values()) {
            if (mode.text().equals(text)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }

    /** As it is written in settings and annotations. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
