/** The API server that is measured, ways to it, and what is put there and taken away again. */
@NullMarked
package io.coil.bench.api;

import org.jspecify.annotations.NullMarked;
