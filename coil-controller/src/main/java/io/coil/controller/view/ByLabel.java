package io.coil.controller.view;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What an image has of each node, or of each pool, so that a look at one does not go through all.
 * Written by the image's task alone, read by many; in the order of the names.
 */
final class ByLabel<V> {
    private final Map<String, Map<String, V>> byLabel = new ConcurrentHashMap<>();

    /**
     * A change of the image.
     *
     * @param was the label's value before; null: none
     * @param is its value now; null: none, or the object is gone
     */
    void changed(String name, @Nullable String was, @Nullable String is, @Nullable V now) {
        if (was != null && !was.equals(is)) {
            Map<String, V> before = byLabel.get(was);
            if (before != null) {
                before.remove(name);
                if (before.isEmpty()) {
                    byLabel.remove(was);
                }
            }
        }
        if (is != null && now != null) {
            byLabel.computeIfAbsent(is, label -> new ConcurrentSkipListMap<>()).put(name, now);
        }
    }

    Collection<V> of(String label) {
        Map<String, V> there = byLabel.get(label);
        return there == null ? List.of() : there.values();
    }

    /** Those of which there is anything. */
    Collection<String> labels() {
        return byLabel.keySet();
    }
}
