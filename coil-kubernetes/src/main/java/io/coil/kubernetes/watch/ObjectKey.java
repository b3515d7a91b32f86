package io.coil.kubernetes.watch;

import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** An object's name within its kind; {@code namespace} is null for cluster-scoped kinds. */
public record ObjectKey(@Nullable String namespace, String name) implements Comparable<ObjectKey> {

    public static ObjectKey of(String name) {
        return new ObjectKey(null, name);
    }

    public static ObjectKey of(KubernetesObject object) {
        return new ObjectKey(
                object.getMetadata().getNamespace(),
                Objects.requireNonNull(object.getMetadata().getName(), "object without a name"));
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace =
                Objects.toString(namespace, "").compareTo(Objects.toString(other.namespace, ""));
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace == null ? name : namespace + "/" + name;
    }
}
