package io.coil.agent;

/**
 * Is told of each call of the container runtime when it has ended. Must not block, and not throw.
 */
@FunctionalInterface
public interface CallsTold {
    /**
     * @param command ADD, DEL, CHECK, GC, STATUS, VERSION, or whatever was sent
     * @param done whether it was answered with what was asked for
     */
    void ended(String command, boolean done, long nanos);
}
