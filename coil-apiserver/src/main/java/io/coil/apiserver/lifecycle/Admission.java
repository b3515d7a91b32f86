package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * Who is asked before a write. It may take its time: no lock is held meanwhile, and the write is
 * compared with the current state afterwards.
 */
public interface Admission {
    /** Nobody is asked. */
    Admission NONE =
            new Admission() {
                @Override
                public @Nullable ObjectNode mutate(Request request, ObjectNode object) {
                    return null;
                }

                @Override
                public void validate(Request request, @Nullable ObjectNode object) {}
            };

    /** What is about to be done. */
    enum Operation {
        CREATE,
        UPDATE,
        DELETE
    }

    /**
     * @param subresource empty for the object itself
     * @param namespace null for a cluster-scoped object
     * @param oldObject the object as it is; null when it is created; to read only
     * @param warnings where warnings for the client are added
     */
    record Request(
            ResourceType type,
            String subresource,
            Operation operation,
            @Nullable String namespace,
            String name,
            @Nullable ObjectNode oldObject,
            String user,
            List<String> groups,
            boolean dryRun,
            List<String> warnings) {}

    /**
     * The object with the changes that those who may change it want; null when nobody wants any.
     *
     * @throws ApiStatusException when it is refused
     */
    @Nullable ObjectNode mutate(Request request, ObjectNode object);

    /**
     * @param object null for a deletion
     * @throws ApiStatusException when it is refused
     */
    void validate(Request request, @Nullable ObjectNode object);
}
