/** The command line: asks the admin application over REST, and says it in tables. */
@NullMarked
package io.coil.cli;

import org.jspecify.annotations.NullMarked;
