/** The command line. */
@NullMarked
package io.coil.simulation.command;

import org.jspecify.annotations.NullMarked;
