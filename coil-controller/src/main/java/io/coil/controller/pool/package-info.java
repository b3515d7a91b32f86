/** A pool is kept while it has blocks, and says how it is. */
@NullMarked
package io.coil.controller.pool;

import org.jspecify.annotations.NullMarked;
