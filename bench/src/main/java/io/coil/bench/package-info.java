/** Benchmarks: of core's arithmetic by JMH, of controller and API server by storms. */
@NullMarked
package io.coil.bench;

import org.jspecify.annotations.NullMarked;
