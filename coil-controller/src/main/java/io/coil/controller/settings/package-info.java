/** Settings, read once. */
@NullMarked
package io.coil.controller.settings;

import org.jspecify.annotations.NullMarked;
