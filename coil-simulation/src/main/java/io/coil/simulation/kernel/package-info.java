/** Machines, and the seam of their kernels. */
@NullMarked
package io.coil.simulation.kernel;

import org.jspecify.annotations.NullMarked;
