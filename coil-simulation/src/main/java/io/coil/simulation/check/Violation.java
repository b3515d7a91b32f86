package io.coil.simulation.check;

/**
 * Something that must never be was.
 *
 * @param invariant its number in the architecture's list
 * @param what in one line
 * @param nanos when, in virtual time
 */
public record Violation(int invariant, String what, long nanos) {
    @Override
    public String toString() {
        return "invariant %d at %.3f s: %s".formatted(invariant, nanos / 1e9, what);
    }
}
