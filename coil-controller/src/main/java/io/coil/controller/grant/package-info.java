/** A node needs a block. */
@NullMarked
package io.coil.controller.grant;

import org.jspecify.annotations.NullMarked;
