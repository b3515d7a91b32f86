package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetStatus;

import org.jspecify.annotations.Nullable;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;

/** The status that {@code kubectl rollout status} and {@code kubectl wait} read. */
final class DeploymentStatus {
    private DeploymentStatus() {}

    static void write(
            KubeApi api,
            Timeline timeline,
            V1Deployment deployment,
            List<V1ReplicaSet> sets,
            V1ReplicaSet current) {
        int wanted = Deployments.replicas(deployment);
        int all = sum(sets, s -> orZero(s.getReplicas()));
        int ready = sum(sets, s -> orZero(s.getReadyReplicas()));
        int updated = sum(List.of(current), s -> orZero(s.getReplicas()));
        var status =
                new io.kubernetes.client.openapi.models.V1DeploymentStatus()
                        .observedGeneration(deployment.getMetadata().getGeneration())
                        .replicas(orNull(all))
                        .updatedReplicas(orNull(updated))
                        .readyReplicas(orNull(ready))
                        .availableReplicas(orNull(ready))
                        .unavailableReplicas(orNull(Math.max(0, wanted - ready)));
        boolean complete = updated == wanted && all == wanted && ready >= wanted;
        OffsetDateTime now =
                timeline.now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
        status.addConditionsItem(
                condition(
                        deployment,
                        "Available",
                        ready >= wanted,
                        ready >= wanted ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                        now));
        status.addConditionsItem(
                condition(
                        deployment,
                        "Progressing",
                        true,
                        complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                        now));
        if (!status.equals(deployment.getStatus())) {
            api.replaceStatus(Kinds.DEPLOYMENTS, deployment.status(status));
        }
    }

    /** The condition as it is if it says the same already, so that nothing is written for it. */
    private static V1DeploymentCondition condition(
            V1Deployment deployment,
            String type,
            boolean holds,
            String reason,
            OffsetDateTime now) {
        String value = holds ? "True" : "False";
        V1DeploymentCondition before = before(deployment, type);
        if (before != null
                && value.equals(before.getStatus())
                && reason.equals(before.getReason())) {
            return before;
        }
        return new V1DeploymentCondition()
                .type(type)
                .status(value)
                .reason(reason)
                .lastUpdateTime(now)
                .lastTransitionTime(
                        before != null && value.equals(before.getStatus())
                                ? before.getLastTransitionTime()
                                : now);
    }

    private static @Nullable V1DeploymentCondition before(V1Deployment deployment, String type) {
        if (deployment.getStatus() == null || deployment.getStatus().getConditions() == null) {
            return null;
        }
        return deployment.getStatus().getConditions().stream()
                .filter(c -> Objects.equals(c.getType(), type))
                .findFirst()
                .orElse(null);
    }

    private static int sum(List<V1ReplicaSet> sets, ToIntFunction<V1ReplicaSetStatus> count) {
        return sets.stream()
                .map(V1ReplicaSet::getStatus)
                .filter(Objects::nonNull)
                .mapToInt(count)
                .sum();
    }

    private static int orZero(@Nullable Integer count) {
        return count == null ? 0 : count;
    }

    /** Kubernetes leaves counts of zero out. */
    private static @Nullable Integer orNull(int count) {
        return count == 0 ? null : count;
    }
}
