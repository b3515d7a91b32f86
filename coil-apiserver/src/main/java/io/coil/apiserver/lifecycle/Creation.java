package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Brings a new object into being. */
final class Creation {
    private static final int NAME_TRIES = 8;

    private final ObjectStore store;
    private final Decoding decoding;
    private final Admission admission;
    private final Identities identities;

    Creation(ObjectStore store, Decoding decoding, Admission admission, Identities identities) {
        this.store = store;
        this.decoding = decoding;
        this.admission = admission;
        this.identities = identities;
    }

    ObjectNode create(
            ResourceType type, @Nullable String namespace, ObjectNode body, WriteQuery query) {
        ObjectNode object = body.deepCopy();
        decoding.decode(type, object, query, false);
        ObjectNode metadata = Json.metadata(object);
        String home = place(type, namespace, metadata);
        if (!metadata.path("resourceVersion").asString("").isEmpty()) {
            throw new ApiStatusException(
                    500,
                    "InternalError",
                    "resourceVersion should not be set on objects to be created");
        }
        String prefix = metadata.path("generateName").asString("");
        boolean named = !metadata.path("name").asString("").isEmpty();
        if (named || prefix.isEmpty()) {
            return named(type, home, object, query);
        }
        for (int tries = 1; ; tries++) {
            ObjectNode copy = object.deepCopy();
            Json.metadata(copy).put("name", prefix + identities.suffix());
            try {
                return named(type, home, copy, query);
            } catch (ApiStatusException e) {
                if (tries == NAME_TRIES || !e.reason().equals("AlreadyExists")) {
                    throw e;
                }
            }
        }
    }

    private ObjectNode named(
            ResourceType type, @Nullable String namespace, ObjectNode object, WriteQuery query) {
        ObjectNode metadata = Json.metadata(object);
        String name = metadata.path("name").asString("");
        metadata.remove(
                List.of(
                        "resourceVersion",
                        "generation",
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds"));
        metadata.put("uid", identities.uid());
        metadata.put("creationTimestamp", identities.timestamp());
        var request =
                new Admission.Request(
                        type,
                        "",
                        Admission.Operation.CREATE,
                        namespace,
                        name,
                        null,
                        query.user(),
                        query.groups(),
                        query.dryRun(),
                        query.warnings());
        NewObjects.prepare(type, object, identities.timestamp());
        @Nullable ObjectNode changed = admission.mutate(request, object);
        if (changed != null) {
            decoding.shape(type, changed);
            NewObjects.prepare(type, changed, identities.timestamp());
        }
        ObjectNode admitted = changed == null ? object : changed;
        if (Kinds.hasGeneration(type)) {
            Json.metadata(admitted).put("generation", 1);
        }
        decoding.validate(type, name, admitted, null);
        admission.validate(request, admitted);
        return stored(type, namespace, name, admitted, query.dryRun());
    }

    private ObjectNode stored(
            ResourceType type,
            @Nullable String namespace,
            String name,
            ObjectNode object,
            boolean dryRun) {
        ObjectKey key = ObjectKey.of(namespace, name);
        TypeKey typeKey = TypeKey.of(type);
        ObjectStore.Guard guard = Containment.accepting(type, namespace, name);
        if (dryRun) {
            guard.check(store);
            if (store.get(typeKey, key) != null) {
                throw ApiErrors.alreadyExists(type, name);
            }
            return object;
        }
        StoredObject made = store.put(typeKey, key, null, object, guard);
        if (made == null) {
            throw ApiErrors.alreadyExists(type, name);
        }
        return made.copy();
    }

    private static @Nullable String place(
            ResourceType type, @Nullable String namespace, ObjectNode metadata) {
        String own = metadata.path("namespace").asString("");
        if (!type.namespaced()) {
            if (!own.isEmpty()) {
                throw ApiErrors.badRequest(
                        "the namespace of the provided object does not match the namespace sent on"
                                + " the request");
            }
            metadata.remove("namespace");
            return null;
        }
        if (namespace == null || namespace.isEmpty()) {
            throw ApiErrors.badRequest("an empty namespace may not be set during creation");
        }
        if (!own.isEmpty() && !own.equals(namespace)) {
            throw ApiErrors.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
        metadata.put("namespace", namespace);
        return namespace;
    }
}
