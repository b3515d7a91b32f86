package io.coil.apiserver.lifecycle;

import io.coil.apiserver.resource.ResourceType;

import java.util.Set;

/** Where Kubernetes treats one built-in kind differently from another. */
final class Kinds {
    /** Kinds whose generation counts changes of what is not metadata or status. */
    private static final Set<String> WITH_GENERATION =
            Set.of(
                    "Deployment",
                    "ReplicaSet",
                    "DaemonSet",
                    "PodDisruptionBudget",
                    "CustomResourceDefinition",
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration",
                    "EndpointSlice");

    /** Kinds that cannot be replaced without saying which version is meant. */
    private static final Set<String> VERSION_NEEDED =
            Set.of(
                    "Lease",
                    "CustomResourceDefinition",
                    "PodDisruptionBudget",
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration");

    private Kinds() {}

    static boolean isPod(ResourceType type) {
        return type.group().isEmpty() && type.kind().equals("Pod");
    }

    static boolean isNamespace(ResourceType type) {
        return type.group().isEmpty() && type.kind().equals("Namespace");
    }

    static boolean isNode(ResourceType type) {
        return type.group().isEmpty() && type.kind().equals("Node");
    }

    static boolean isDefinition(ResourceType type) {
        return !type.custom() && type.kind().equals("CustomResourceDefinition");
    }

    static boolean hasGeneration(ResourceType type) {
        return type.custom() || WITH_GENERATION.contains(type.kind());
    }

    static boolean needsVersionToReplace(ResourceType type) {
        return type.custom() || VERSION_NEEDED.contains(type.kind());
    }

    /** A node registers together with its status; elsewhere a new object's status is dropped. */
    static boolean keepsStatusOfNewObject(ResourceType type) {
        return !type.statusSubresource() || isNode(type);
    }
}
