@NullMarked
package io.coil.simulation.mutant;

import org.jspecify.annotations.NullMarked;
