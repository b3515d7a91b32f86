/** JMH benchmarks of decisions that core makes; no I/O. */
@NullMarked
package io.coil.bench.core;

import org.jspecify.annotations.NullMarked;
