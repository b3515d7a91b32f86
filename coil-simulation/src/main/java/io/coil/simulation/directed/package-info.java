/** Plays written schedules. */
@NullMarked
package io.coil.simulation.directed;

import org.jspecify.annotations.NullMarked;
