package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/** One thing that the collector does. */
sealed interface CollectionStep {
    StoredObject object();

    /**
     * @param propagation null: as the kind has it
     */
    record Delete(StoredObject object, @Nullable Propagation propagation)
            implements CollectionStep {}

    /** The object gets this tree, if it still is what it was. */
    record Rewrite(StoredObject object, ObjectNode tree) implements CollectionStep {}
}
