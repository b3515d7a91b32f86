package io.coil.apiserver.resource;

import java.util.Map;
import java.util.Set;

/** Which fields a field selector may name, by kind, as in Kubernetes. */
public final class SelectableFields {
    private static final Set<String> ALWAYS = Set.of("metadata.name", "metadata.namespace");

    private static final Map<String, Set<String>> BY_KIND =
            Map.of(
                    "Pod",
                    Set.of(
                            "metadata.name",
                            "metadata.namespace",
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "spec.hostNetwork",
                            "status.phase",
                            "status.podIP",
                            "status.nominatedNodeName"),
                    "Event",
                    Set.of(
                            "metadata.name",
                            "metadata.namespace",
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "type"),
                    "Node",
                    Set.of("metadata.name", "spec.unschedulable"),
                    "Namespace",
                    Set.of("metadata.name", "metadata.namespace", "status.phase"),
                    "Secret",
                    Set.of("metadata.name", "metadata.namespace", "type"),
                    "ReplicaSet",
                    Set.of("metadata.name", "metadata.namespace", "status.replicas"));

    private SelectableFields() {}

    public static Set<String> of(ResourceType type) {
        return type.custom() ? ALWAYS : BY_KIND.getOrDefault(type.kind(), ALWAYS);
    }
}
