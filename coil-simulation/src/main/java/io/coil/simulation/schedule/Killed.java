package io.coil.simulation.schedule;

/**
 * The process that this task belongs to is dead. Thrown at every seam; whatever a dead process does
 * afterwards reaches nothing.
 */
final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
        super("the process is dead", null, false, false);
    }
}
