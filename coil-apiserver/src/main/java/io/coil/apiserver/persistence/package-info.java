/** Keeps the writes in a file, so that the next process finds everything again. */
package io.coil.apiserver.persistence;
