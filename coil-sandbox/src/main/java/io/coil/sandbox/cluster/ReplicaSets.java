package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetStatus;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Keeps as many pods of each replica set as it asks for. */
public final class ReplicaSets {
    static final Kind<V1ReplicaSet> KIND =
            new Kind<>("apps", "v1", "replicasets", "ReplicaSet", true, V1ReplicaSet.class);
    private static final Duration ANYWAY = Duration.ofSeconds(10);

    private final KubeApi api;
    private final Timeline timeline;

    public ReplicaSets(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "replica sets", changed, ANYWAY, this::look);
    }

    void look() {
        List<V1ReplicaSet> sets = api.list(KIND, Selection.ALL).items();
        if (sets.isEmpty()) {
            return;
        }
        List<V1Pod> pods = api.list(Kinds.PODS, Selection.ALL).items();
        for (V1ReplicaSet set : sets) {
            if (set.getMetadata().getDeletionTimestamp() == null) {
                look(set, pods);
            }
        }
    }

    private void look(V1ReplicaSet set, List<V1Pod> allPods) {
        String uid = Meta.uid(set.getMetadata());
        List<V1Pod> pods =
                allPods.stream().filter(p -> Pods.ownedBy(p, uid) && Pods.active(p)).toList();
        int wanted = set.getSpec().getReplicas() == null ? 1 : set.getSpec().getReplicas();
        for (int i = pods.size(); i < wanted; i++) {
            api.create(Kinds.PODS, pod(set));
        }
        pods.stream()
                .sorted(Comparator.comparing(Pods::ready))
                .limit(Math.max(0, pods.size() - wanted))
                .forEach(this::delete);
        writeStatus(set, pods);
    }

    private void delete(V1Pod pod) {
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

    private static V1Pod pod(V1ReplicaSet set) {
        return fromTemplate(
                set.getSpec().getTemplate(),
                set.getMetadata(),
                owner("apps/v1", "ReplicaSet", set.getMetadata()));
    }

    static V1Pod fromTemplate(
            V1PodTemplateSpec template, V1ObjectMeta ownerMeta, V1OwnerReference owner) {
        V1ObjectMeta meta =
                template.getMetadata() == null ? new V1ObjectMeta() : template.getMetadata();
        return new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(
                        new V1ObjectMeta()
                                .namespace(ownerMeta.getNamespace())
                                .generateName(Meta.name(ownerMeta) + "-")
                                .labels(meta.getLabels())
                                .annotations(meta.getAnnotations())
                                .addOwnerReferencesItem(owner))
                .spec(Pods.withoutOverhead(template.getSpec()));
    }

    static V1OwnerReference owner(String apiVersion, String kind, V1ObjectMeta meta) {
        return new V1OwnerReference()
                .apiVersion(apiVersion)
                .kind(kind)
                .name(Meta.name(meta))
                .uid(Meta.uid(meta))
                .controller(true)
                .blockOwnerDeletion(true);
    }

    private void writeStatus(V1ReplicaSet set, List<V1Pod> pods) {
        int ready = (int) pods.stream().filter(Pods::ready).count();
        V1ReplicaSetStatus status =
                new V1ReplicaSetStatus()
                        .replicas(pods.size())
                        .fullyLabeledReplicas(pods.size())
                        .readyReplicas(ready)
                        .availableReplicas(ready)
                        .observedGeneration(set.getMetadata().getGeneration());
        if (!status.equals(set.getStatus())) {
            api.replaceStatus(KIND, set.status(status));
        }
    }
}
