/** The seam of the API, as each simulated process sees it. */
@NullMarked
package io.coil.simulation.api;

import org.jspecify.annotations.NullMarked;
