package io.coil.sandbox.cluster;

import static io.coil.sandbox.cluster.Pods.node;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Affinity;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives each pod that has none a node: ready, not cordoned, selected, its taints tolerated, and of
 * those the one with the fewest pods.
 */
public final class Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final Duration ANYWAY = Duration.ofSeconds(5);

    private final KubeApi api;
    private final PodCalls calls;
    private final Timeline timeline;

    public Scheduler(KubeApi api, PodCalls calls, Timeline timeline) {
        this.api = api;
        this.calls = calls;
        this.timeline = timeline;
    }

    /** {@code changed} is raised by whoever sees a pod or a node change. */
    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "scheduler", changed, ANYWAY, this::look);
    }

    void look() {
        List<V1Pod> pods = api.list(Kinds.PODS, Selection.ALL).items();
        List<V1Pod> waiting = pods.stream().filter(Scheduler::isWaiting).toList();
        if (waiting.isEmpty()) {
            return;
        }
        List<V1Node> nodes = api.list(Kinds.NODES, Selection.ALL).items();
        Map<String, Integer> load = load(pods);
        for (V1Pod pod : waiting) {
            choose(pod, nodes, load).ifPresent(name -> bind(pod, name, load));
        }
    }

    private void bind(V1Pod pod, String node, Map<String, Integer> load) {
        try {
            calls.bind(
                    pod.getMetadata().getNamespace(),
                    Meta.name(pod.getMetadata()),
                    Meta.uid(pod.getMetadata()),
                    node);
            load.merge(node, 1, Integer::sum);
        } catch (ApiFailure.Stale | ApiFailure.Rejected e) {
            LOG.atDebug()
                    .addKeyValue("pod", Pods.title(pod))
                    .setCause(e)
                    .log("pod could not be bound");
        }
    }

    private static boolean isWaiting(V1Pod pod) {
        return node(pod) == null && Pods.active(pod);
    }

    /** Ordinary pods by node: those on the host's network weigh nothing. */
    private static Map<String, Integer> load(Collection<V1Pod> pods) {
        Map<String, Integer> load = new HashMap<>();
        for (V1Pod pod : pods) {
            String node = node(pod);
            if (node != null && !Pods.hostNetwork(pod)) {
                load.merge(node, 1, Integer::sum);
            }
        }
        return load;
    }

    static Optional<String> choose(V1Pod pod, List<V1Node> nodes, Map<String, Integer> load) {
        return nodes.stream()
                .filter(n -> fits(pod, n))
                .map(n -> Meta.name(n.getMetadata()))
                .min(
                        Comparator.<String>comparingInt(n -> load.getOrDefault(n, 0))
                                .thenComparing(Comparator.naturalOrder()));
    }

    private static boolean fits(V1Pod pod, V1Node node) {
        if (node.getMetadata().getDeletionTimestamp() != null
                || (node.getSpec() != null
                        && Boolean.TRUE.equals(node.getSpec().getUnschedulable()))
                || !isReady(node)) {
            return false;
        }
        return Labels.contains(node.getMetadata().getLabels(), pod.getSpec().getNodeSelector())
                && affine(pod.getSpec().getAffinity(), node)
                && Labels.tolerated(
                        node.getSpec() == null ? null : node.getSpec().getTaints(),
                        pod.getSpec().getTolerations());
    }

    private static boolean affine(@Nullable V1Affinity affinity, V1Node node) {
        if (affinity == null
                || affinity.getNodeAffinity() == null
                || affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()
                        == null) {
            return true;
        }
        Map<String, String> labels =
                node.getMetadata().getLabels() == null ? Map.of() : node.getMetadata().getLabels();
        return affinity
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .stream()
                .anyMatch(t -> Labels.matches(t, labels, Meta.name(node.getMetadata())));
    }

    static boolean isReady(V1Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }
}
