/**
 * How programs are told what to do: each setting with its default, its range and its reason, read
 * once.
 */
@NullMarked
package io.coil.core.settings;

import org.jspecify.annotations.NullMarked;
