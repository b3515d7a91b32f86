package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Which parts of a proposed object count, and which stay as they were. */
final class Merging {
    /** Metadata that only the server sets. */
    private static final List<String> FIXED =
            List.of(
                    "name",
                    "generateName",
                    "namespace",
                    "uid",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "resourceVersion",
                    "generation");

    private Merging() {}

    static ObjectNode merge(Update.Target target, StoredObject current, ObjectNode proposed) {
        ObjectNode next =
                switch (target.part()) {
                    case MAIN -> main(target.type(), current, proposed);
                    case STATUS -> {
                        ObjectNode kept = current.copy();
                        take(kept, proposed, "status");
                        yield kept;
                    }
                    case SCALE -> {
                        ObjectNode kept = current.copy();
                        ObjectNode spec = Json.child(kept, "spec");
                        take(spec, Json.child(proposed, "spec"), "replicas");
                        yield kept;
                    }
                };
        take(next, current.tree(), "apiVersion");
        return next;
    }

    private static ObjectNode main(ResourceType type, StoredObject current, ObjectNode proposed) {
        ObjectNode metadata = Json.metadata(proposed);
        JsonNode kept = current.tree().path("metadata");
        for (String field : FIXED) {
            @Nullable JsonNode value = kept.get(field);
            if (value == null) {
                metadata.remove(field);
            } else {
                metadata.set(field, value);
            }
        }
        if (type.statusSubresource()) {
            take(proposed, current.tree(), "status");
        }
        if (Kinds.isNamespace(type)) {
            // Its only part is the finalizer that keeps it until it is empty.
            take(proposed, current.tree(), "spec");
        }
        return proposed;
    }

    private static void take(ObjectNode to, JsonNode from, String field) {
        @Nullable JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value.deepCopy());
        }
    }

    /** Generation counts what is wanted: everything but metadata and, where it is apart, status. */
    static void countGeneration(ResourceType type, StoredObject current, ObjectNode next) {
        if (!Kinds.hasGeneration(type)) {
            return;
        }
        List<String> apart =
                type.statusSubresource()
                        ? List.of("metadata", "status", "apiVersion", "kind")
                        : List.of("metadata", "apiVersion", "kind");
        if (!sameBut(apart, current.tree(), next)) {
            long generation = current.tree().path("metadata").path("generation").asLong(0);
            Json.metadata(next).put("generation", generation + 1);
        }
    }

    private static boolean sameBut(List<String> apart, ObjectNode a, ObjectNode b) {
        for (var field : a.properties()) {
            if (!apart.contains(field.getKey())
                    && !Json.same(field.getValue(), b.get(field.getKey()))) {
                return false;
            }
        }
        for (String name : b.propertyNames()) {
            if (!apart.contains(name) && !a.has(name)) {
                return false;
            }
        }
        return true;
    }
}
