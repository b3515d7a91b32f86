/** Controller, agent and admin application as programs that pods start and stop in this process. */
@NullMarked
package io.coil.sandbox.program;

import org.jspecify.annotations.NullMarked;
