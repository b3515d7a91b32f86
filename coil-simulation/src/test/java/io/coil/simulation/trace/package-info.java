/** The traces that the model of the protocol found, played against the programs. */
@NullMarked
package io.coil.simulation.trace;

import org.jspecify.annotations.NullMarked;
