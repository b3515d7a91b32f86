/** Images of what the API holds, kept up to date by lists and watches: hints, never facts. */
@NullMarked
package io.coil.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
