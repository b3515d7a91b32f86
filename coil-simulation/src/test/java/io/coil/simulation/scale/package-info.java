/** Many programs at once: what they cost the API server. */
@NullMarked
package io.coil.simulation.scale;

import org.jspecify.annotations.NullMarked;
