package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Nothing is created in a namespace that is not there, or is on its way out. */
final class Namespaces {
    static final TypeKey TYPE = new TypeKey("", "namespaces");

    private Namespaces() {}

    /** Checked at the moment of the write, so that nothing slips into an emptied namespace. */
    static ObjectStore.Guard accepting(ResourceType type, @Nullable String namespace, String name) {
        if (!type.namespaced() || namespace == null) {
            return ObjectStore.Guard.NONE;
        }
        return store -> {
            StoredObject found = store.get(TYPE, ObjectKey.of(null, namespace));
            if (found == null) {
                throw new ApiStatusException(
                        404, "NotFound", "namespaces \"%s\" not found".formatted(namespace));
            }
            if (found.deleting()) {
                String message = "namespace %s is being terminated".formatted(namespace);
                throw ApiErrors.forbidden(
                        type,
                        name,
                        "unable to create new content in namespace %s because it is being terminated"
                                .formatted(namespace),
                        List.of(new Cause("metadata.namespace", "NamespaceTerminating", message)));
            }
        };
    }
}
