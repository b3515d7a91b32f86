/** The whole system in one process, tested as its users see it. */
@NullMarked
package io.coil.sandbox.system;

import org.jspecify.annotations.NullMarked;
