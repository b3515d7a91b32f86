/** The log lines of the programs that run here, kept for each pod, for {@code kubectl logs}. */
@NullMarked
package io.coil.sandbox.log;

import org.jspecify.annotations.NullMarked;
