package io.coil.apiserver.rest;

import io.coil.apiserver.auth.Authorizer;
import io.coil.apiserver.auth.Reviews;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceRegistry;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What stands behind the paths.
 *
 * @param nanos monotonic time, for how long things last
 * @param pause waits, for latency that a fault adds
 */
public record Backend(
        ResourceRegistry types,
        Operations operations,
        Authorizer authorizer,
        Reviews reviews,
        Faults faults,
        RequestLog requests,
        LogSource logs,
        VersionTimes versions,
        InstantSource clock,
        LongSupplier nanos,
        Pause pause) {

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void sleep(Duration time) throws InterruptedException;
    }
}
