package io.coil.apiserver.store;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.TypeKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * One object as it was at one version. Its tree is frozen: nobody changes it after it was stored,
 * so readers, watchers and the log share it without a lock. Who wants to change it takes a {@link
 * #copy()}.
 */
public final class StoredObject {
    private final TypeKey type;
    private final ObjectKey key;
    private final long version;
    private final ObjectNode tree;
    private final String uid;
    private final List<String> owners;
    private final boolean deleting;
    private final JsonNode labels;

    StoredObject(TypeKey type, ObjectKey key, long version, ObjectNode tree) {
        this.type = type;
        this.key = key;
        this.version = version;
        this.tree = tree;
        JsonNode metadata = tree.path("metadata");
        String id = Json.text(metadata, "uid");
        this.uid = id == null ? "" : id;
        this.owners = ownerUids(metadata.path("ownerReferences"));
        this.labels = metadata.path("labels");
        this.deleting = metadata.hasNonNull("deletionTimestamp");
    }

    private static List<String> ownerUids(JsonNode references) {
        if (references.isEmpty()) {
            return List.of();
        }
        List<String> uids = new ArrayList<>(references.size());
        for (JsonNode reference : references) {
            @Nullable String uid = Json.text(reference, "uid");
            uids.add(uid == null ? "" : uid);
        }
        return List.copyOf(uids);
    }

    public TypeKey type() {
        return type;
    }

    public ObjectKey key() {
        return key;
    }

    public String name() {
        return key.name();
    }

    public String namespace() {
        return key.namespace();
    }

    /** The resourceVersion: the number of the write that made this state. */
    public long version() {
        return version;
    }

    /** The frozen tree; to read only. */
    public ObjectNode tree() {
        return tree;
    }

    public ObjectNode copy() {
        return tree.deepCopy();
    }

    public String uid() {
        return uid;
    }

    /** UIDs of the owner references, in their order. */
    public List<String> owners() {
        return owners;
    }

    /** Whether it has a deletionTimestamp. */
    public boolean deleting() {
        return deleting;
    }

    public List<String> finalizers() {
        return Json.texts(tree.path("metadata").path("finalizers"));
    }

    public JsonNode labels() {
        return labels;
    }
}
