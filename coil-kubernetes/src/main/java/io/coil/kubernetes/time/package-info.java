/** The seam of time: clocks, waiting, tasks. The only package that starts threads for others. */
@NullMarked
package io.coil.kubernetes.time;

import org.jspecify.annotations.NullMarked;
