/** The agent of a node. */
@NullMarked
package io.coil.agent;

import org.jspecify.annotations.NullMarked;
