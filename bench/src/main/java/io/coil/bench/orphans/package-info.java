/** Blocks of nodes that are gone are deleted. */
@NullMarked
package io.coil.bench.orphans;

import org.jspecify.annotations.NullMarked;
