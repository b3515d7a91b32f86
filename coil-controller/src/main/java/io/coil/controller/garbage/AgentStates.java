package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenAgent;
import io.coil.controller.view.SeenNode;
import io.coil.kubernetes.time.Timeline;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when a Ready node that our agent has reported from has no Ready pod of an agent, by our own
 * monotonic clock. The age of an unchanged report is no sign.
 */
public final class AgentStates {
    private final ClusterView view;
    private final Timeline timeline;
    private final Map<String, Long> silentSince = new ConcurrentHashMap<>();

    public AgentStates(ClusterView view, Timeline timeline) {
        this.view = view;
        this.timeline = timeline;
    }

    /** Something about the node, its agent or its report has changed. */
    public void look(String name) {
        SeenNode node = view.node(name);
        boolean silent =
                node != null
                        && node.ready()
                        && view.usage(name) != null
                        && view.agentsOf(name).stream().noneMatch(SeenAgent::ready);
        if (silent) {
            silentSince.putIfAbsent(name, timeline.nanos());
        } else {
            silentSince.remove(name);
        }
    }

    /** Zero while it is well, or not ours to judge. */
    public Duration silentFor(String name) {
        look(name);
        Long since = silentSince.get(name);
        return since == null ? Duration.ZERO : Duration.ofNanos(timeline.nanos() - since);
    }
}
