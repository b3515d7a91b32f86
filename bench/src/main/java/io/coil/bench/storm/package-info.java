/** Many nodes ask for a block at once, and a controller grants. */
@NullMarked
package io.coil.bench.storm;

import org.jspecify.annotations.NullMarked;
