@NullMarked
package io.coil.simulation.model;

import org.jspecify.annotations.NullMarked;
