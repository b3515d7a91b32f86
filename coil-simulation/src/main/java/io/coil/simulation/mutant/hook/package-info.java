/** What rewritten code calls instead of what stood there. Never called by anything else. */
@NullMarked
package io.coil.simulation.mutant.hook;

import org.jspecify.annotations.NullMarked;
