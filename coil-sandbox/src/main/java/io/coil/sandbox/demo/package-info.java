/** What moves in a sandbox that nobody uses. */
@NullMarked
package io.coil.sandbox.demo;

import org.jspecify.annotations.NullMarked;
