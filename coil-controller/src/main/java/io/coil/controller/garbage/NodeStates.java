package io.coil.controller.garbage;

import io.coil.controller.view.SeenNode;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when a node has not been Ready, by our own monotonic clock and from our own first look: a
 * new leader begins anew.
 */
public final class NodeStates {
    private final Timeline timeline;
    private final Map<String, Long> notReadySince = new ConcurrentHashMap<>();

    public NodeStates(Timeline timeline) {
        this.timeline = timeline;
    }

    /** The watch, or a live read, has shown this; null: the Node is gone. */
    public void seen(String name, @Nullable SeenNode node) {
        if (node == null || node.ready()) {
            notReadySince.remove(name);
        } else {
            notReadySince.putIfAbsent(name, timeline.nanos());
        }
    }

    /** Zero while it is Ready, or not known. */
    public Duration notReadyFor(String name) {
        Long since = notReadySince.get(name);
        return since == null
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(1, timeline.nanos() - since));
    }
}
