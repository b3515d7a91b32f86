/** What an address pool is: its subnets cut into blocks, its switches, the rules it must keep. */
@NullMarked
package io.coil.core.pool;

import org.jspecify.annotations.NullMarked;
