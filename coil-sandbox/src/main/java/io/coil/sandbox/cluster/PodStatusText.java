package io.coil.sandbox.cluster;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1HostIP;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodIP;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.util.List;

/**
 * A pod's status as its kubelet writes it.
 *
 * @param addresses the pod's; empty while it has none
 * @param running its containers run
 * @param ready and do their work
 * @param waiting why they do not run, in the word that kubectl shows
 * @param started when they were started; null before
 */
record PodStatusText(
        List<String> addresses,
        boolean running,
        boolean ready,
        String waiting,
        int restarts,
        String containerId,
        @Nullable OffsetDateTime started) {

    static final String CREATING = "ContainerCreating";

    V1PodStatus on(V1Pod pod, String hostIp, OffsetDateTime now) {
        V1PodStatus status =
                new V1PodStatus()
                        .phase(running ? "Running" : "Pending")
                        .hostIP(hostIp)
                        .addHostIPsItem(new V1HostIP().ip(hostIp))
                        .qosClass("BestEffort")
                        .startTime(began(pod, now));
        if (!addresses.isEmpty()) {
            status.podIP(addresses.getFirst())
                    .podIPs(addresses.stream().map(a -> new V1PodIP().ip(a)).toList());
        }
        condition(status, pod, "PodReadyToStartContainers", !addresses.isEmpty(), now);
        condition(status, pod, "Initialized", true, now);
        condition(status, pod, "Ready", ready, now);
        condition(status, pod, "ContainersReady", ready, now);
        condition(status, pod, "PodScheduled", true, now);
        for (V1Container container : pod.getSpec().getContainers()) {
            status.addContainerStatusesItem(container(container));
        }
        return status;
    }

    private static OffsetDateTime began(V1Pod pod, OffsetDateTime now) {
        return pod.getStatus() == null || pod.getStatus().getStartTime() == null
                ? now
                : pod.getStatus().getStartTime();
    }

    private V1ContainerStatus container(V1Container container) {
        V1ContainerState state =
                running
                        ? new V1ContainerState()
                                .running(new V1ContainerStateRunning().startedAt(started))
                        : new V1ContainerState()
                                .waiting(new V1ContainerStateWaiting().reason(waiting));
        V1ContainerStatus status =
                new V1ContainerStatus()
                        .name(container.getName())
                        .image(container.getImage() == null ? "" : container.getImage())
                        .imageID("")
                        .ready(ready)
                        .started(running)
                        .restartCount(restarts)
                        .state(state);
        if (running) {
            status.containerID("sandbox://" + containerId);
        }
        return status;
    }

    private static void condition(
            V1PodStatus status, V1Pod pod, String type, boolean holds, OffsetDateTime now) {
        String value = holds ? "True" : "False";
        V1PodCondition before =
                pod.getStatus() == null || pod.getStatus().getConditions() == null
                        ? null
                        : pod.getStatus().getConditions().stream()
                                .filter(c -> type.equals(c.getType()))
                                .findFirst()
                                .orElse(null);
        boolean same = before != null && value.equals(before.getStatus());
        V1PodCondition condition =
                new V1PodCondition()
                        .type(type)
                        .status(value)
                        .lastTransitionTime(
                                same && before != null ? before.getLastTransitionTime() : now);
        if (!holds && type.endsWith("Ready")) {
            condition.reason("ContainersNotReady");
        }
        status.addConditionsItem(condition);
    }
}
