package io.coil.controller.view;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What an image has of each node, so that a look at one node does not go through all nodes. Written
 * by the image's task alone, read by many; in the order of the names.
 */
final class ByNode<V> {
    private final Map<String, Map<String, V>> byNode = new ConcurrentHashMap<>();

    /**
     * A change of the image.
     *
     * @param was the node that it belonged to; null: none
     * @param is the node that it belongs to; null: none, or it is gone
     */
    void changed(String name, @Nullable String was, @Nullable String is, @Nullable V now) {
        if (was != null && !was.equals(is)) {
            Map<String, V> before = byNode.get(was);
            if (before != null) {
                before.remove(name);
                if (before.isEmpty()) {
                    byNode.remove(was);
                }
            }
        }
        if (is != null && now != null) {
            byNode.computeIfAbsent(is, node -> new ConcurrentSkipListMap<>()).put(name, now);
        }
    }

    Collection<V> of(String node) {
        Map<String, V> there = byNode.get(node);
        return there == null ? List.of() : there.values();
    }

    /** Those of which there is anything. */
    Collection<String> nodes() {
        return byNode.keySet();
    }
}
