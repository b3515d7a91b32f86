/** The custom resources as Java types, their text, and what core makes of them. */
@NullMarked
package io.coil.kubernetes.resource;

import org.jspecify.annotations.NullMarked;
