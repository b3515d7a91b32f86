/** What is there before the first program starts: state directory, ports, cluster objects. */
@NullMarked
package io.coil.sandbox.setup;

import org.jspecify.annotations.NullMarked;
