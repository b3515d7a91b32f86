/** Who may look: tokens and rights, asked of the API. */
@NullMarked
package io.coil.kubernetes.access;

import org.jspecify.annotations.NullMarked;
