package io.coil.simulation.mutant;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * The programs with one rule read loosely.
 *
 * @param name of a run of the model that reads the same point loosely, or one that begins with x
 * @param point the switch of the model; null: it has none
 * @param what is done otherwise
 */
public record Mutant(
        String name,
        Expected expected,
        @Nullable String point,
        String what,
        List<Rewriting> rewritings) {

    /** What a simulation makes of it. */
    public enum Expected {
        /** Some run violates an invariant. */
        CAUGHT,
        /** Too rare for runs that are left to chance; a schedule that is played shows it. */
        PLAYED,
        /** Every invariant holds in every run. */
        HARMLESS;

        /** In a word. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
