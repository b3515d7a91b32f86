package io.coil.admin.snapshot;

import java.util.Locale;

/** How a state is meant; a word always goes with it. Ordered: the worst last. */
public enum Tone {
    OK,
    QUIET,
    GOING,
    WARN,
    BAD;

    /** Its class in the style sheet. */
    public String css() {
        return name().toLowerCase(Locale.ROOT);
    }
}
