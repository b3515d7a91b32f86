/** The seam of the kernel, and a simulated one. */
@NullMarked
package io.coil.agent.kernel;

import org.jspecify.annotations.NullMarked;
