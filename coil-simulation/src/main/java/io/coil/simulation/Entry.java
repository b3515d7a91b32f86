package io.coil.simulation;

import io.coil.simulation.check.Violation;

/** One run by the JDK's types alone, so that another class loader can call it. */
public final class Entry {
    private Entry() {}

    /**
     * Runs one seed.
     *
     * @param options as {@link Options#parse} reads them; empty: the standard ones
     * @return empty if every invariant held; else what did not, in one line
     */
    public static String run(long seed, String options) {
        Violation violation = Simulation.run(seed, Options.parse(options)).violation();
        return violation == null ? "" : violation.toString();
    }
}
