/** What one node holds: its blocks, the addresses given to its containers, and who still waits. */
@NullMarked
package io.coil.core.holdings;

import org.jspecify.annotations.NullMarked;
