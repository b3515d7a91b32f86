/** The addresses of one block. */
@NullMarked
package io.coil.core.block;

import org.jspecify.annotations.NullMarked;
