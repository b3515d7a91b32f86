/** The invariants, judged after every step and in the quiet at the end. */
@NullMarked
package io.coil.simulation.check;

import org.jspecify.annotations.NullMarked;
