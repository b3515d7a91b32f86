/** Which block indices and ranges are taken, over all pools. */
@NullMarked
package io.coil.core.ledger;

import org.jspecify.annotations.NullMarked;
