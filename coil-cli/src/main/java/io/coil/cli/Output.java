package io.coil.cli;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** How results are printed. */
enum Output {
    TABLE,
    JSON,
    /** Of lists. */
    CSV,
    /** Names alone, one a line. */
    NAME;

    static Output of(@Nullable String word) throws Failure {
        if (word == null) {
            return TABLE;
        }
        for (Output output : values()) {
            if (output.name().toLowerCase(Locale.ROOT).equals(word)) {
                return output;
            }
        }
        throw Failure.wrongUse("-o %s: there are table, json, csv and name".formatted(word));
    }
}
