package io.coil.sandbox.cluster;

/**
 * What a container runtime starts for each call of the CNI specification: the plugin's executable.
 */
@FunctionalInterface
public interface CniEntry {

    /**
     * Carries the call out; blocks until there is an answer. Whatever goes wrong is in the reply,
     * never an exception.
     */
    CniReply call(CniRequest request) throws InterruptedException;
}
