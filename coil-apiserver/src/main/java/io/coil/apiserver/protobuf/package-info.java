/** The protobuf encoding of objects, as far as kubectl sends it. */
@NullMarked
package io.coil.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
