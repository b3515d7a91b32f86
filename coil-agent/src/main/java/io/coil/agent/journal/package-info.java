/** What a node remembers of addresses given and freed, for the agent that comes next. */
@NullMarked
package io.coil.agent.journal;

import org.jspecify.annotations.NullMarked;
