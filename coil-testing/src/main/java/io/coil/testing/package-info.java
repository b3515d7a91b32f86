/** The real programs of Kubernetes, for tests. */
@NullMarked
package io.coil.testing;

import org.jspecify.annotations.NullMarked;
