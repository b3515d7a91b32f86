/** Requests and answers, and HTTPS that carries them. */
@NullMarked
package io.coil.apiserver.http;

import org.jspecify.annotations.NullMarked;
