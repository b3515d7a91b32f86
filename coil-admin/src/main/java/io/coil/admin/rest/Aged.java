package io.coil.admin.rest;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.coil.admin.snapshot.Current;

import java.time.Instant;

/**
 * One thing, and how old what is said of it is.
 *
 * @param asOf when it was true
 * @param ageSeconds since then
 */
record Aged<T>(Instant asOf, double ageSeconds, @JsonUnwrapped T what) {
    static <T> Aged<T> of(Current current, T what) {
        return new Aged<>(current.asOf(), current.age().toMillis() / 1000.0, what);
    }
}
