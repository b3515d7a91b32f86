package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;

/** When nothing holds an object back any more. */
final class Finality {
    private Finality() {}

    /** Whether it is being deleted and nobody and no grace period keeps it. */
    static boolean complete(ResourceType type, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.hasNonNull("deletionTimestamp")
                && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0
                && !held(type, object);
    }

    /** Whether finalizers keep it; a namespace has some of its own in its spec. */
    static boolean held(ResourceType type, JsonNode object) {
        return !object.path("metadata").path("finalizers").isEmpty()
                || (Kinds.isNamespace(type) && !object.path("spec").path("finalizers").isEmpty());
    }
}
