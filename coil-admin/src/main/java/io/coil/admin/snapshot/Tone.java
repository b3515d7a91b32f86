package io.coil.admin.snapshot;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** How a state is meant; a word always goes with it. Ordered: the worst last. */
public enum Tone {
    OK,
    QUIET,
    GOING,
    WARN,
    BAD;

    /** Its class in the style sheet, and how JSON says it. */
    @JsonValue
    public String css() {
        return name().toLowerCase(Locale.ROOT);
    }
}
