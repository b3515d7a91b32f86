/** Faults on demand: which calls they strike, and what they do to them. */
@NullMarked
package io.coil.apiserver.fault;

import org.jspecify.annotations.NullMarked;
