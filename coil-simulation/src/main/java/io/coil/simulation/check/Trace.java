package io.coil.simulation.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What happened, a line each: when, who, what. */
public final class Trace {
    private final boolean on;
    private final LongSupplier nanos;
    private final List<String> lines = new ArrayList<>();

    public Trace(boolean on, LongSupplier nanos) {
        this.on = on;
        this.nanos = nanos;
    }

    /** {@code what} is asked only if anybody wants to read it. */
    public void add(String who, Supplier<String> what) {
        if (on) {
            lines.add("%10.6f %-14s %s".formatted(nanos.getAsLong() / 1e9, who, what.get()));
        }
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
