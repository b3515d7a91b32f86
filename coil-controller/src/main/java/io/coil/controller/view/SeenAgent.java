package io.coil.controller.view;

import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;

/**
 * A pod of an agent.
 *
 * @param name with its namespace
 */
public record SeenAgent(String name, String node, boolean ready) {
    /** Selects the pods of our agents. */
    static final String LABELS = "app.kubernetes.io/component=coil-agent";

    /** Null while it is on no node. */
    static @Nullable SeenAgent of(V1Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null ? null : new SeenAgent(name(pod), node, ready(pod));
    }

    private static String name(V1Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static boolean ready(V1Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && pod.getStatus().getConditions() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }
}
