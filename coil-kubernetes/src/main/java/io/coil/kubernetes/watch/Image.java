package io.coil.kubernetes.watch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What is kept of the objects that were seen; written by one task, read by many. */
final class Image<V> {
    private static final Logger LOG = LoggerFactory.getLogger(Image.class);

    private final ConcurrentMap<ObjectKey, V> entries = new ConcurrentHashMap<>();
    private final Map<ObjectKey, V> view = Collections.unmodifiableMap(entries);
    private final Changes<V> changes;

    Image(Changes<V> changes) {
        this.changes = changes;
    }

    Map<ObjectKey, V> view() {
        return view;
    }

    /** {@code kept} null: the object is there, but nothing of it is wanted. */
    void present(ObjectKey key, @Nullable V kept) {
        if (kept == null) {
            gone(key);
            return;
        }
        V old = entries.put(key, kept);
        if (!kept.equals(old)) {
            tell(() -> changes.upserted(key, old, kept));
        }
    }

    void gone(ObjectKey key) {
        V old = entries.remove(key);
        if (old != null) {
            tell(() -> changes.removed(key, old));
        }
    }

    /** A list named these and no others. */
    void listed(Set<ObjectKey> all) {
        for (ObjectKey key : entries.keySet()) {
            if (!all.contains(key)) {
                gone(key);
            }
        }
        tell(changes::listed);
    }

    /** A listener that fails must not stop what everybody else sees. */
    private static void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a listener failed");
        }
    }
}
