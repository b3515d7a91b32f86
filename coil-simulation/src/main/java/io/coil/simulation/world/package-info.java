/** Nodes, kubelets, pods, people and the programs under test. */
@NullMarked
package io.coil.simulation.world;

import org.jspecify.annotations.NullMarked;
