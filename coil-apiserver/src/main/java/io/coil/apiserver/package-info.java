/** An API server in this JVM: what it is made of, and how it is started. */
@NullMarked
package io.coil.apiserver;

import org.jspecify.annotations.NullMarked;
