/**
 * Mutants: the programs with one rule read loosely, made by rewriting their byte code as it is
 * loaded. So the programs themselves have no switch, and the tests are known to bite.
 */
@NullMarked
package io.coil.simulation.mutant;

import org.jspecify.annotations.NullMarked;
