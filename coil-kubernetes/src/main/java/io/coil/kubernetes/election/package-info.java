/** One leader among many processes, by a lease. */
@NullMarked
package io.coil.kubernetes.election;

import org.jspecify.annotations.NullMarked;
