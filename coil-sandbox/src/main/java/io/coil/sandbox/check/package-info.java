/** Looks whether what must always be true is true: after a test, or of a running sandbox. */
@NullMarked
package io.coil.sandbox.check;

import org.jspecify.annotations.NullMarked;
