package io.coil.core.garbage;

import java.util.Locale;
import java.util.Optional;

/** What became of an item. */
public enum Outcome {
    /** It would be collected: all that a dry run says. */
    PLANNED,
    /** It was collected, or somebody else was faster. */
    DONE,
    /** It has begun and goes on by itself: a block that drains, a return that is under way. */
    STARTED,
    /** Its evidence is not there any more: in use again, gone, or another object of that name. */
    NO_LONGER_TRUE,
    /** Only a person may decide. */
    REPORTED,
    /** Collection is off, or manual and the run does not name it. */
    NOT_ALLOWED,
    /** An error; it is tried again. */
    FAILED;

    /** The name in resources and REST: {@code no-longer-true}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads {@link #text()}; empty for what a later version may say. */
    public static Optional<Outcome> parse(String text) {
        for (Outcome outcome : values()) {
            if (outcome.text().equals(text)) {
                return Optional.of(outcome);
            }
        }
        return Optional.empty();
    }
}
