/** IP addresses and ranges of both families, exact and without ever asking a resolver. */
@NullMarked
package io.coil.core.net;

import org.jspecify.annotations.NullMarked;
