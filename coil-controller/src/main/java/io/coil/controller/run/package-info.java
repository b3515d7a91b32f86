/** Collections on demand: the controller's part, the agents' parts gathered, and the end. */
@NullMarked
package io.coil.controller.run;

import org.jspecify.annotations.NullMarked;
