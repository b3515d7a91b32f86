/** Who asks, and what he may do: tokens, roles, reviews. */
@NullMarked
package io.coil.apiserver.auth;

import org.jspecify.annotations.NullMarked;
