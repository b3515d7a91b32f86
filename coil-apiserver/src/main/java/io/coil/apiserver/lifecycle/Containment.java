package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Nothing is created in a namespace, or of a definition, that is not there or on its way out. */
final class Containment {
    static final TypeKey NAMESPACES = new TypeKey("", "namespaces");

    private Containment() {}

    /** Checked at the moment of the write, so that nothing slips into an emptied namespace. */
    static ObjectStore.Guard accepting(ResourceType type, @Nullable String namespace, String name) {
        return store -> {
            if (type.custom()) {
                checkDefinition(store, type);
            }
            if (!type.namespaced() || namespace == null) {
                return;
            }
            StoredObject found = store.get(NAMESPACES, ObjectKey.of(null, namespace));
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

    private static void checkDefinition(ObjectStore store, ResourceType type) {
        StoredObject definition =
                store.get(ResourceRegistry.DEFINITIONS, ObjectKey.of(null, type.qualifiedName()));
        if (definition == null) {
            throw new ApiStatusException(
                    404, "NotFound", "the server could not find the requested resource");
        }
        if (definition.deleting()) {
            throw new ApiStatusException(
                    405,
                    "MethodNotAllowed",
                    "create not allowed while custom resource definition is terminating");
        }
    }
}
