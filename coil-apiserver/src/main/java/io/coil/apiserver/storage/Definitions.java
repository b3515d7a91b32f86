package io.coil.apiserver.storage;

import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.store.Change;
import io.coil.apiserver.store.CommitListener;

/** Serves what CustomResourceDefinitions declare, from the write on that stores them. */
final class Definitions implements CommitListener {
    private final ResourceRegistry registry;

    Definitions(ResourceRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void committed(Change change) {
        if (!ResourceRegistry.isDefinition(change.after().type())) {
            return;
        }
        if (change.deleted()) {
            registry.undefine(change.after().name());
        } else {
            registry.define(change.after().tree());
        }
    }
}
