package io.coil.apiserver.store;

/**
 * Sees every write, in order and under the store's lock, also those that were restored at start. It
 * must be quick and must not call the store.
 */
@FunctionalInterface
public interface CommitListener {
    void committed(Change change);
}
