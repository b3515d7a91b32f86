package io.coil.sandbox.cluster;

import io.kubernetes.client.openapi.models.V1Pod;

/** A program that really runs in this process while its pod does. */
public interface Program {

    /** Whether it does its work: what a readiness probe would ask. */
    boolean ready();

    /** False once it has ended, by itself or because it was stopped. */
    boolean alive();

    /** Ends it as SIGTERM would; returns when it has ended. */
    void stop();

    /** Starts programs of one kind. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts what the pod stands for, and returns when it is up; an exception is a start that
         * failed, and is tried again.
         */
        Program start(V1Pod pod, Machine machine) throws InterruptedException;
    }
}
