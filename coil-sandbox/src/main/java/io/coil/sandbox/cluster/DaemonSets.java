package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1DaemonSetStatus;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One pod of each daemon set on each node that it fits; a new template rolls node by node. */
public final class DaemonSets {
    private static final String GENERATION = "pod-template-generation";
    private static final Duration ANYWAY = Duration.ofSeconds(10);

    private final KubeApi api;
    private final Timeline timeline;

    public DaemonSets(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "daemon sets", changed, ANYWAY, this::look);
    }

    void look() {
        List<V1DaemonSet> sets = api.list(Kinds.DAEMON_SETS, Selection.ALL).items();
        if (sets.isEmpty()) {
            return;
        }
        List<V1Node> nodes = api.list(Kinds.NODES, Selection.ALL).items();
        List<V1Pod> pods = api.list(Kinds.PODS, Selection.ALL).items();
        for (V1DaemonSet set : sets) {
            if (set.getMetadata().getDeletionTimestamp() == null) {
                look(set, nodes, pods);
            }
        }
    }

    private void look(V1DaemonSet set, List<V1Node> nodes, List<V1Pod> allPods) {
        String uid = Meta.uid(set.getMetadata());
        Map<String, List<V1Pod>> byNode = new TreeMap<>();
        allPods.stream()
                .filter(p -> Pods.ownedBy(p, uid) && Pods.node(p) != null)
                .forEach(
                        p ->
                                byNode.computeIfAbsent(
                                                Objects.requireNonNull(Pods.node(p)),
                                                n -> new ArrayList<>())
                                        .add(p));
        List<String> wanted =
                nodes.stream()
                        .filter(n -> fits(set, n))
                        .map(n -> Meta.name(n.getMetadata()))
                        .toList();
        for (String node : wanted) {
            // A pod that is ending still has the node: two agents at once would be wrong.
            if (byNode.getOrDefault(node, List.of()).isEmpty()) {
                api.create(Kinds.PODS, pod(set, node));
            }
        }
        // A node that is there but no longer fits; what is on a node that is gone is not for us.
        nodes.stream()
                .map(n -> Meta.name(n.getMetadata()))
                .filter(n -> !wanted.contains(n))
                .forEach(n -> byNode.getOrDefault(n, List.of()).forEach(this::delete));
        List<V1Pod> pods = byNode.values().stream().flatMap(List::stream).toList();
        replaceOneThatIsOld(set, pods, wanted.size());
        writeStatus(set, pods, wanted.size());
    }

    private void replaceOneThatIsOld(V1DaemonSet set, List<V1Pod> pods, int wanted) {
        var strategy = set.getSpec().getUpdateStrategy();
        boolean onDelete = strategy != null && "OnDelete".equals(strategy.getType());
        long ready = pods.stream().filter(p -> Pods.active(p) && Pods.ready(p)).count();
        if (onDelete || ready < wanted) {
            return;
        }
        pods.stream()
                .filter(p -> Pods.active(p) && !isCurrent(set, p))
                .findFirst()
                .ifPresent(this::delete);
    }

    private void delete(V1Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        try {
            api.delete(
                    Kinds.PODS,
                    pod.getMetadata().getNamespace(),
                    Meta.name(pod.getMetadata()),
                    Preconditions.uid(Meta.uid(pod.getMetadata())));
        } catch (ApiFailure.Stale e) {
            // Gone already.
        }
    }

    /** A daemon set's pods tolerate cordons and the taints of nodes in trouble. */
    private static boolean fits(V1DaemonSet set, V1Node node) {
        var spec = set.getSpec().getTemplate().getSpec();
        if (!Labels.contains(node.getMetadata().getLabels(), spec.getNodeSelector())
                || node.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        var taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return taints == null
                || Labels.tolerated(
                        taints.stream()
                                .filter(t -> !t.getKey().startsWith("node.kubernetes.io/"))
                                .toList(),
                        spec.getTolerations());
    }

    private static boolean isCurrent(V1DaemonSet set, V1Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels != null && generation(set).equals(labels.get(GENERATION));
    }

    private static String generation(V1DaemonSet set) {
        return String.valueOf(set.getMetadata().getGeneration());
    }

    private static V1Pod pod(V1DaemonSet set, String node) {
        V1Pod pod =
                ReplicaSets.fromTemplate(
                        set.getSpec().getTemplate(),
                        set.getMetadata(),
                        ReplicaSets.owner("apps/v1", "DaemonSet", set.getMetadata()));
        Map<String, String> labels =
                new HashMap<>(
                        pod.getMetadata().getLabels() == null
                                ? Map.of()
                                : pod.getMetadata().getLabels());
        labels.put(GENERATION, generation(set));
        pod.getMetadata().setLabels(labels);
        pod.setSpec(Pods.withoutOverhead(copy(pod.getSpec())).nodeName(node));
        return pod;
    }

    /** The template's spec is the set's own. */
    private static V1PodSpec copy(V1PodSpec spec) {
        try {
            return V1PodSpec.fromJson(spec.toJson());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeStatus(V1DaemonSet set, List<V1Pod> pods, int wanted) {
        List<V1Pod> active = pods.stream().filter(Pods::active).toList();
        int ready = (int) active.stream().filter(Pods::ready).count();
        int updated = (int) active.stream().filter(p -> isCurrent(set, p)).count();
        V1DaemonSetStatus status =
                new V1DaemonSetStatus()
                        .observedGeneration(set.getMetadata().getGeneration())
                        .desiredNumberScheduled(wanted)
                        .currentNumberScheduled(active.size())
                        .numberMisscheduled(0)
                        .numberReady(ready)
                        .updatedNumberScheduled(updated)
                        .numberAvailable(ready)
                        .numberUnavailable(wanted == ready ? null : wanted - ready);
        if (!status.equals(set.getStatus())) {
            api.replaceStatus(Kinds.DAEMON_SETS, set.status(status));
        }
    }
}
