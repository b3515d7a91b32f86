/** Cuts a failing run down. */
@NullMarked
package io.coil.simulation.shrink;

import org.jspecify.annotations.NullMarked;
