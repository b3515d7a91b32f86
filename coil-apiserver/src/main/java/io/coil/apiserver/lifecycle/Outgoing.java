package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.store.StoredObject;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Stored objects as a client of one served version sees them. */
final class Outgoing {
    private Outgoing() {}

    static ObjectNode copy(ResourceType type, StoredObject object) {
        ObjectNode copy = object.copy();
        if (type.custom()) {
            copy.put("apiVersion", type.apiVersion());
        }
        return copy;
    }

    /** To read only: the frozen tree itself, if it is of that version. */
    static JsonNode shared(ResourceType type, StoredObject object) {
        boolean asStored = object.tree().path("apiVersion").asString("").equals(type.apiVersion());
        return asStored ? object.tree() : copy(type, object);
    }
}
