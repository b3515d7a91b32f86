/** From a request to an answer: paths, verbs, subresources, watches. Knows no socket. */
@NullMarked
package io.coil.apiserver.rest;

import org.jspecify.annotations.NullMarked;
