package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetSpec;
import io.kubernetes.client.openapi.models.V1RollingUpdateDeployment;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Carries deployments out by replica sets: one for each template, the present one grown as the old
 * ones shrink.
 */
public final class Deployments {
    private static final String HASH = "pod-template-hash";
    private static final Duration ANYWAY = Duration.ofSeconds(10);

    private final KubeApi api;
    private final Timeline timeline;

    public Deployments(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "deployments", changed, ANYWAY, this::look);
    }

    void look() {
        List<V1Deployment> deployments = api.list(Kinds.DEPLOYMENTS, Selection.ALL).items();
        if (deployments.isEmpty()) {
            return;
        }
        List<V1ReplicaSet> sets = api.list(ReplicaSets.KIND, Selection.ALL).items();
        List<V1Pod> pods = api.list(Kinds.PODS, Selection.ALL).items();
        for (V1Deployment deployment : deployments) {
            if (deployment.getMetadata().getDeletionTimestamp() == null) {
                look(deployment, sets, pods);
            }
        }
    }

    private void look(V1Deployment deployment, List<V1ReplicaSet> allSets, List<V1Pod> pods) {
        String uid = Meta.uid(deployment.getMetadata());
        List<V1ReplicaSet> sets =
                new ArrayList<>(
                        allSets.stream()
                                .filter(
                                        s ->
                                                Pods.controller(
                                                        s.getMetadata().getOwnerReferences(), uid))
                                .sorted(
                                        Comparator.comparing(
                                                s -> s.getMetadata().getCreationTimestamp()))
                                .toList());
        V1ReplicaSet current =
                sets.stream().filter(s -> isCurrent(deployment, s)).findFirst().orElse(null);
        if (current == null) {
            current = api.create(ReplicaSets.KIND, replicaSet(deployment));
            sets.add(current);
        }
        scale(deployment, sets, current, pods);
        DeploymentStatus.write(api, timeline, deployment, sets, current);
    }

    private void scale(
            V1Deployment deployment,
            List<V1ReplicaSet> sets,
            V1ReplicaSet current,
            List<V1Pod> pods) {
        List<Rollout.Set> views =
                sets.stream().map(s -> view(s, isSame(s, current), pods)).toList();
        Map<String, Integer> next = rollout(deployment).next(views);
        for (V1ReplicaSet set : sets) {
            String name = Meta.name(set.getMetadata());
            int wanted = next.getOrDefault(name, 0);
            if (wanted != wanted(set)) {
                api.patch(
                        ReplicaSets.KIND,
                        set.getMetadata().getNamespace(),
                        name,
                        Preconditions.of(set.getMetadata()),
                        "{\"spec\":{\"replicas\":" + wanted + "}}");
            } else if (!isSame(set, current) && wanted == 0 && existing(set, pods) == 0) {
                // Nobody rolls back in a sandbox: a set that is empty need not stay.
                api.delete(
                        ReplicaSets.KIND,
                        set.getMetadata().getNamespace(),
                        name,
                        Preconditions.of(set.getMetadata()));
            }
        }
    }

    private static boolean isSame(V1ReplicaSet one, V1ReplicaSet other) {
        return Meta.uid(one.getMetadata()).equals(Meta.uid(other.getMetadata()));
    }

    private static Rollout.Set view(V1ReplicaSet set, boolean current, List<V1Pod> pods) {
        int ready =
                set.getStatus() == null || set.getStatus().getReadyReplicas() == null
                        ? 0
                        : set.getStatus().getReadyReplicas();
        return new Rollout.Set(
                Meta.name(set.getMetadata()), current, wanted(set), existing(set, pods), ready);
    }

    private static int existing(V1ReplicaSet set, List<V1Pod> pods) {
        String uid = Meta.uid(set.getMetadata());
        return (int) pods.stream().filter(p -> Pods.ownedBy(p, uid)).count();
    }

    private static int wanted(V1ReplicaSet set) {
        return set.getSpec().getReplicas() == null ? 1 : set.getSpec().getReplicas();
    }

    static int replicas(V1Deployment deployment) {
        Integer replicas = deployment.getSpec().getReplicas();
        return replicas == null ? 1 : replicas;
    }

    private static Rollout rollout(V1Deployment deployment) {
        int replicas = replicas(deployment);
        var strategy = deployment.getSpec().getStrategy();
        if (strategy != null && "Recreate".equals(strategy.getType())) {
            return new Rollout(replicas, true, 0, 0);
        }
        V1RollingUpdateDeployment rolling = strategy == null ? null : strategy.getRollingUpdate();
        int surge = count(rolling == null ? null : rolling.getMaxSurge(), replicas, true);
        int missing = count(rolling == null ? null : rolling.getMaxUnavailable(), replicas, false);
        return new Rollout(replicas, false, surge, surge == 0 && missing == 0 ? 1 : missing);
    }

    /** A number or a percentage of the replicas; 25 % if it is not said. */
    private static int count(@Nullable IntOrString value, int replicas, boolean roundUp) {
        if (value != null && value.isInteger()) {
            return value.getIntValue();
        }
        String percent = value == null ? "25%" : value.getStrValue();
        double share = Integer.parseInt(percent.replace("%", "").strip()) * replicas / 100.0;
        return (int) (roundUp ? Math.ceil(share) : Math.floor(share));
    }

    private static boolean isCurrent(V1Deployment deployment, V1ReplicaSet set) {
        V1PodTemplateSpec ours = deployment.getSpec().getTemplate();
        V1PodTemplateSpec its = set.getSpec().getTemplate();
        Map<String, String> labels = new HashMap<>(labels(its));
        labels.remove(HASH);
        return Objects.equals(ours.getSpec(), its.getSpec())
                && labels(ours).equals(labels)
                && Objects.equals(annotations(ours), annotations(its));
    }

    private static Map<String, String> labels(V1PodTemplateSpec template) {
        V1ObjectMeta meta = template.getMetadata();
        return meta == null || meta.getLabels() == null ? Map.of() : meta.getLabels();
    }

    private static Map<String, String> annotations(V1PodTemplateSpec template) {
        V1ObjectMeta meta = template.getMetadata();
        return meta == null || meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
    }

    private static V1ReplicaSet replicaSet(V1Deployment deployment) {
        V1PodTemplateSpec template = deployment.getSpec().getTemplate();
        String hash =
                Integer.toUnsignedString(
                        (deployment.getMetadata().getUid()
                                        + deployment.getMetadata().getGeneration())
                                .hashCode(),
                        36);
        Map<String, String> labels = new HashMap<>(labels(template));
        labels.put(HASH, hash);
        Map<String, String> selected =
                new HashMap<>(deployment.getSpec().getSelector().getMatchLabels());
        selected.put(HASH, hash);
        return new V1ReplicaSet()
                .apiVersion("apps/v1")
                .kind("ReplicaSet")
                .metadata(
                        new V1ObjectMeta()
                                .namespace(deployment.getMetadata().getNamespace())
                                .name(Meta.name(deployment.getMetadata()) + "-" + hash)
                                .labels(labels)
                                .addOwnerReferencesItem(
                                        ReplicaSets.owner(
                                                "apps/v1", "Deployment", deployment.getMetadata())))
                .spec(
                        new V1ReplicaSetSpec()
                                .replicas(0)
                                .selector(new V1LabelSelector().matchLabels(selected))
                                .template(
                                        new V1PodTemplateSpec()
                                                .metadata(
                                                        new V1ObjectMeta()
                                                                .labels(labels)
                                                                .annotations(annotations(template)))
                                                .spec(template.getSpec())));
    }
}
