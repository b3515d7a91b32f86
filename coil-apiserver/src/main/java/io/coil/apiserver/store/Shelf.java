package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The objects of one type and their recent history. The store's lock guards all of it. */
final class Shelf {
    private final NavigableMap<ObjectKey, StoredObject> objects = new TreeMap<>();
    private final Readers readers = new Readers();
    private final History history;

    Shelf(History history) {
        this.history = history;
    }

    History history() {
        return history;
    }

    Readers readers() {
        return readers;
    }

    @Nullable StoredObject get(ObjectKey key) {
        return objects.get(key);
    }

    int size() {
        return objects.size();
    }

    /** A state that was restored: it is there, but nobody can watch how it came. */
    void restore(Change change) {
        place(change);
    }

    void apply(Change change) {
        place(change);
        history.add(change);
        readers.tell(change);
    }

    private void place(Change change) {
        if (change.deleted()) {
            objects.remove(change.after().key());
        } else {
            objects.put(change.after().key(), change.after());
        }
    }

    /** What is there now; {@code namespace} null: everywhere. */
    List<StoredObject> current(@Nullable String namespace) {
        return new ArrayList<>(within(objects, namespace).values());
    }

    /** What was there at an earlier version: today's objects, with all later changes undone. */
    List<StoredObject> asOf(@Nullable String namespace, long version) throws ExpiredException {
        long first = history.after(version);
        if (first == history.next()) {
            return current(namespace);
        }
        Map<ObjectKey, @Nullable StoredObject> earlier = new HashMap<>();
        for (long at = history.next() - 1; at >= first; at--) {
            Change change = history.get(at);
            earlier.put(change.after().key(), change.before());
        }
        NavigableMap<ObjectKey, StoredObject> undone = new TreeMap<>(within(objects, namespace));
        earlier.forEach(
                (key, before) -> {
                    if (namespace != null && !key.namespace().equals(namespace)) {
                        return;
                    }
                    if (before == null) {
                        undone.remove(key);
                    } else {
                        undone.put(key, before);
                    }
                });
        return new ArrayList<>(undone.values());
    }

    private static NavigableMap<ObjectKey, StoredObject> within(
            NavigableMap<ObjectKey, StoredObject> all, @Nullable String namespace) {
        return namespace == null
                ? all
                : all.subMap(
                        new ObjectKey(namespace, ""), true,
                        new ObjectKey(namespace + "\0", ""), false);
    }
}
