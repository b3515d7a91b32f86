/** Measurements: micro benchmarks, and a storm of nodes that all want a block. */
@NullMarked
package io.coil.bench;

import org.jspecify.annotations.NullMarked;
