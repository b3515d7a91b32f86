/** What belongs to no node, or is fetched by nobody. */
@NullMarked
package io.coil.controller.garbage;

import org.jspecify.annotations.NullMarked;
