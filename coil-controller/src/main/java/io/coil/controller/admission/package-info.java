/** What the API server asks before it takes a pool or a collection. */
@NullMarked
package io.coil.controller.admission;

import org.jspecify.annotations.NullMarked;
