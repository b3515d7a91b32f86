/** One task at a time, and time as a number. */
@NullMarked
package io.coil.simulation.schedule;

import org.jspecify.annotations.NullMarked;
