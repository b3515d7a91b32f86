/** Puts the parts behind the operations together. */
package io.coil.apiserver.storage;
