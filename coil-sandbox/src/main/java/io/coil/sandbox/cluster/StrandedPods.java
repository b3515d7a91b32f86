package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Pod;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Removes pods whose Node has not existed for 40 s, as Kubernetes' own collector does. */
final class StrandedPods {
    private static final Duration QUARANTINE = Duration.ofSeconds(40);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final KubeApi api;
    private final PodCalls calls;
    private final Timeline timeline;

    /** When a node was first seen missing, by name. Used by one task. */
    private final Map<String, Long> missingSince = new HashMap<>();

    StrandedPods(KubeApi api, PodCalls calls, Timeline timeline) {
        this.api = api;
        this.calls = calls;
        this.timeline = timeline;
    }

    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "stranded pods", changed, EVERY, this::look);
    }

    private void look() {
        Set<String> nodes = new HashSet<>();
        api.list(Kinds.NODES, Selection.ALL, n -> nodes.add(Meta.name(n.getMetadata())));
        missingSince.keySet().removeAll(nodes);
        for (V1Pod pod : api.list(Kinds.PODS, Selection.ALL).items()) {
            String node = Pods.node(pod);
            if (node != null && !nodes.contains(node)) {
                long since = missingSince.computeIfAbsent(node, n -> timeline.nanos());
                if (timeline.nanos() - since >= QUARANTINE.toNanos()) {
                    remove(pod);
                }
            }
        }
    }

    private void remove(V1Pod pod) {
        try {
            calls.remove(
                    pod.getMetadata().getNamespace(),
                    Meta.name(pod.getMetadata()),
                    Meta.uid(pod.getMetadata()));
        } catch (ApiFailure.Stale e) {
            // Gone already.
        }
    }
}
