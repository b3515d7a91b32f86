package io.coil.sandbox.cluster;

import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** What the simulated cluster asks of a pod. */
public final class Pods {
    private Pods() {}

    public static boolean ready(V1Pod pod) {
        return "True".equals(condition(pod, "Ready"));
    }

    /** Neither finished nor on its way out: it counts for its owner. */
    static boolean active(V1Pod pod) {
        String phase = phase(pod);
        return pod.getMetadata().getDeletionTimestamp() == null
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
    }

    static String phase(V1Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending"
                : pod.getStatus().getPhase();
    }

    /**
     * The client's model has an empty overhead for none, and a server refuses a pod with any,
     * unless its runtime class has the same.
     */
    public static V1PodSpec withoutOverhead(V1PodSpec spec) {
        return spec.overhead(null);
    }

    static @Nullable String condition(V1Pod pod, String type) {
        if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
            return null;
        }
        return pod.getStatus().getConditions().stream()
                .filter(c -> type.equals(c.getType()))
                .map(V1PodCondition::getStatus)
                .findFirst()
                .orElse(null);
    }

    static boolean ownedBy(V1Pod pod, String ownerUid) {
        return controller(pod.getMetadata().getOwnerReferences(), ownerUid);
    }

    static boolean controller(@Nullable List<V1OwnerReference> owners, String ownerUid) {
        return owners != null
                && owners.stream()
                        .anyMatch(
                                o ->
                                        ownerUid.equals(o.getUid())
                                                && Boolean.TRUE.equals(o.getController()));
    }

    static boolean hostNetwork(V1Pod pod) {
        return pod.getSpec() != null && Boolean.TRUE.equals(pod.getSpec().getHostNetwork());
    }

    static @Nullable String node(V1Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : node;
    }

    /** Which program of the sandbox the pod stands for; empty for an ordinary pod. */
    static String component(V1Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault("app.kubernetes.io/component", "");
    }

    /** {@code namespace/name}, as people name a pod. */
    static String title(V1Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }
}
