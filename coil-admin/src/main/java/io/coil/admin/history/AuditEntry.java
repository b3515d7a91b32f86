package io.coil.admin.history;

import java.time.Instant;
import java.util.Locale;

/**
 * Something that a person or a program asked for, refused or not.
 *
 * @param at when it was answered, wall clock
 * @param caller as the Kubernetes API knows them
 * @param action one word, e.g. {@code collect}, {@code release}, {@code drain}
 * @param kind of what it was asked for, e.g. {@code block}, {@code pool}, {@code collection}
 * @param name of that object
 * @param reason what the caller gave as such; empty: none was asked for
 * @param detail what came of it, in a sentence; empty: nothing to add
 */
public record AuditEntry(
        Instant at,
        String caller,
        String action,
        String kind,
        String name,
        String reason,
        Result result,
        String detail) {

    /** What became of it. */
    public enum Result {
        /** The Kubernetes API has taken it. */
        DONE,
        /** Not allowed, or wrong, or decided on old data: nothing was changed. */
        REFUSED,
        /** It was tried and did not succeed; the detail says how far it came. */
        FAILED;

        /** As a column's value and in JSON. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
