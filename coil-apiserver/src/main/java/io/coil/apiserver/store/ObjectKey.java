package io.coil.apiserver.store;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;

/** Name of an object within its type; the namespace is empty for cluster-scoped objects. */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    public static ObjectKey of(@Nullable String namespace, String name) {
        return new ObjectKey(namespace == null ? "" : namespace, name);
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }
}
