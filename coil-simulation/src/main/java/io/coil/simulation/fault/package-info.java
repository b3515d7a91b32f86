/** What a run decides beforehand: the world's deeds, and what befalls single calls. */
@NullMarked
package io.coil.simulation.fault;

import org.jspecify.annotations.NullMarked;
