/** What is garbage, who may collect it, and when. */
@NullMarked
package io.coil.core.garbage;

import org.jspecify.annotations.NullMarked;
