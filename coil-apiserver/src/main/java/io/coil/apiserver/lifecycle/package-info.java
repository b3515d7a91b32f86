/**
 * What may be done with an object, and what follows from it: the semantics of Kubernetes on top of
 * the store.
 */
package io.coil.apiserver.lifecycle;
