package io.coil.kubernetes.events;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * The object that an event is about.
 *
 * @param namespace null for cluster-scoped kinds
 * @param uid null if it is not known, or there is no such object
 */
public record Subject(
        String apiVersion,
        String kind,
        @Nullable String namespace,
        String name,
        @Nullable String uid) {

    public static Subject of(KubernetesObject object) {
        V1ObjectMeta meta = object.getMetadata();
        return new Subject(
                object.getApiVersion(),
                object.getKind(),
                meta.getNamespace(),
                Objects.requireNonNull(meta.getName(), "object without a name"),
                meta.getUid());
    }

    public static Subject pod(String namespace, String name, @Nullable String uid) {
        return new Subject("v1", "Pod", namespace, name, uid);
    }

    /** As the kubelet does it, the name stands for the UID: so {@code describe node} finds it. */
    public static Subject node(String name) {
        return new Subject("v1", "Node", null, name, name);
    }

    /** Where events about it live: those of cluster-scoped objects in {@code default}. */
    String home() {
        return namespace == null ? "default" : namespace;
    }

    V1ObjectReference reference() {
        return new V1ObjectReference()
                .apiVersion(apiVersion)
                .kind(kind)
                .namespace(namespace)
                .name(name)
                .uid(uid);
    }
}
