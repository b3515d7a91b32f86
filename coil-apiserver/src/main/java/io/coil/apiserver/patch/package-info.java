/** The kinds of patch: JSON, merge, strategic merge. A patch is a function of an object. */
@NullMarked
package io.coil.apiserver.patch;

import org.jspecify.annotations.NullMarked;
