package io.coil.simulation.check;

import org.jspecify.annotations.Nullable;

import java.util.function.LongSupplier;

/** The first thing that was found; the run ends with it. */
public final class Findings {
    private final LongSupplier nanos;
    private final Trace trace;
    private @Nullable Violation first;

    public Findings(LongSupplier nanos, Trace trace) {
        this.nanos = nanos;
        this.trace = trace;
    }

    /** Invariant {@code number} does not hold. */
    public void violated(int number, String what) {
        if (first == null) {
            Violation found = new Violation(number, what.replace('\n', ' '), nanos.getAsLong());
            first = found;
            trace.add("VIOLATED", found::toString);
        }
    }

    public @Nullable Violation first() {
        return first;
    }
}
