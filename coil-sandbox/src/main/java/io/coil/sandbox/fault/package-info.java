/** {@code ./coil sandbox fault}: makes the API server of a running sandbox misbehave. */
@NullMarked
package io.coil.sandbox.fault;

import org.jspecify.annotations.NullMarked;
