package io.coil.apiserver.lifecycle;

import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.resource.TypeKey;
import io.coil.apiserver.store.ExpiredException;
import io.coil.apiserver.store.ObjectKey;
import io.coil.apiserver.store.ObjectStore;
import io.coil.apiserver.store.Snapshot;
import io.coil.apiserver.store.StoredObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Lists, in pages that all show one moment. */
final class Listing {
    private final ObjectStore store;

    Listing(ObjectStore store) {
        this.store = store;
    }

    Page list(ResourceType type, @Nullable String namespace, ListQuery query) {
        Selection selection =
                Selection.of(type, namespace, query.labelSelector(), query.fieldSelector());
        @Nullable ContinueToken token = ContinueToken.parse(query.continueToken());
        Snapshot snapshot = snapshot(type, selection, query, token);
        List<ObjectNode> items = new ArrayList<>();
        @Nullable StoredObject last = null;
        long rest = 0;
        for (StoredObject object : snapshot.objects()) {
            if ((token != null && object.key().compareTo(token.after()) <= 0)
                    || !selection.includes(object)) {
                continue;
            }
            if (query.limit() > 0 && items.size() == query.limit()) {
                rest++;
                continue;
            }
            items.add(Outgoing.copy(type, object));
            last = object;
        }
        String version = Long.toString(snapshot.version());
        if (rest == 0 || last == null) {
            return new Page(items, version, null, null);
        }
        String next = new ContinueToken(snapshot.version(), last.key()).toString();
        boolean selected = selection.labels() != null || selection.fields() != null;
        return new Page(items, version, next, selected ? null : rest);
    }

    private Snapshot snapshot(
            ResourceType type,
            Selection selection,
            ListQuery query,
            @Nullable ContinueToken token) {
        TypeKey key = TypeKey.of(type);
        try {
            if (token != null) {
                return store.snapshotAt(key, selection.namespace(), token.version());
            }
            long asked = version(query.resourceVersion());
            if (asked > store.version()) {
                throw ApiErrors.tooLarge(asked, store.version());
            }
            if ("Exact".equals(query.resourceVersionMatch()) && asked > 0) {
                return store.snapshotAt(key, selection.namespace(), asked);
            }
            if (selection.name() != null && (selection.namespace() != null || !type.namespaced())) {
                return one(key, selection.namespace(), selection.name());
            }
            return store.snapshot(key, selection.namespace());
        } catch (ExpiredException e) {
            throw ApiErrors.expired(
                    token == null
                            ? e.getMessage() == null ? "too old resource version" : e.getMessage()
                            : "The provided continue parameter is too old to display a consistent"
                                    + " list result. You must start a new list without the continue"
                                    + " parameter.");
        }
    }

    /** The version is read first: it may be older than what is found, never newer. */
    private Snapshot one(TypeKey type, @Nullable String namespace, String name) {
        long version = store.version();
        StoredObject found = store.get(type, ObjectKey.of(namespace, name));
        return new Snapshot(found == null ? List.of() : List.of(found), version);
    }

    static long version(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return 0;
        }
        try {
            long version = Long.parseLong(text);
            if (version >= 0) {
                return version;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw ApiErrors.badRequest(
                "Invalid value: \"%s\": resourceVersion must be a whole number".formatted(text));
    }
}
