/** Looking at things by name: so many at once, one at a time per name, again with back-off. */
@NullMarked
package io.coil.controller.work;

import org.jspecify.annotations.NullMarked;
