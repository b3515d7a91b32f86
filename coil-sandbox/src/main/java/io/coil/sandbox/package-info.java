/** All of Coil in one process: the quick start, and the ground of the system tests. */
@NullMarked
package io.coil.sandbox;

import org.jspecify.annotations.NullMarked;
