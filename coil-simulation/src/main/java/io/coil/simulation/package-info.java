/** A whole Coil under one scheduler: seeded, in virtual time, with faults between any two steps. */
@NullMarked
package io.coil.simulation;

import org.jspecify.annotations.NullMarked;
