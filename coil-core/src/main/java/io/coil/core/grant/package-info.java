/** How the controller answers a request for a block. */
@NullMarked
package io.coil.core.grant;

import org.jspecify.annotations.NullMarked;
