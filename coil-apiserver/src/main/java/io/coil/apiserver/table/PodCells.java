package io.coil.apiserver.table;

import tools.jackson.databind.JsonNode;

/** What {@code kubectl get pods} shows of a pod. */
final class PodCells {
    private PodCells() {}

    static String ready(JsonNode pod) {
        long ready =
                pod.at("/status/containerStatuses")
                        .valueStream()
                        .filter(status -> status.path("ready").asBoolean(false))
                        .count();
        return ready + "/" + pod.at("/spec/containers").size();
    }

    /** The phase, unless a container, or the deletion, says more. */
    static String status(JsonNode pod) {
        if (pod.path("metadata").hasNonNull("deletionTimestamp")) {
            return "Terminating";
        }
        String phase = pod.at("/status/phase").asString("");
        String reason = pod.at("/status/reason").asString("");
        String result = reason.isEmpty() ? phase : reason;
        int position = 0;
        for (JsonNode init : pod.at("/status/initContainerStatuses").values()) {
            String waiting = init.at("/state/waiting/reason").asString("");
            int exit = init.at("/state/terminated/exitCode").asInt(-1);
            if (exit != 0) {
                return waiting.isEmpty() || waiting.equals("PodInitializing")
                        ? "Init:" + position + "/" + pod.at("/spec/initContainers").size()
                        : "Init:" + waiting;
            }
            position++;
        }
        for (JsonNode status : pod.at("/status/containerStatuses").values()) {
            String waiting = status.at("/state/waiting/reason").asString("");
            String terminated = status.at("/state/terminated/reason").asString("");
            if (!waiting.isEmpty()) {
                result = waiting;
            } else if (!terminated.isEmpty()) {
                result = terminated;
            }
        }
        return result;
    }

    static String restarts(JsonNode pod) {
        return Long.toString(
                pod.at("/status/containerStatuses")
                        .valueStream()
                        .mapToLong(status -> status.path("restartCount").asLong(0))
                        .sum());
    }

    static String readinessGates(JsonNode pod) {
        JsonNode gates = pod.at("/spec/readinessGates");
        if (gates.isEmpty()) {
            return "<none>";
        }
        long met =
                gates.valueStream()
                        .filter(
                                gate ->
                                        conditionIsTrue(
                                                pod, gate.path("conditionType").asString("")))
                        .count();
        return met + "/" + gates.size();
    }

    private static boolean conditionIsTrue(JsonNode pod, String type) {
        return pod.at("/status/conditions")
                .valueStream()
                .anyMatch(
                        condition ->
                                condition.path("type").asString("").equals(type)
                                        && condition.path("status").asString("").equals("True"));
    }
}
