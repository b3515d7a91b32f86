package io.coil.kubernetes.api;

import io.kubernetes.client.common.KubernetesObject;

/**
 * A kind of object as the API addresses it.
 *
 * @param group empty for the core group
 * @param type the Java type; read and written with the Kubernetes client's JSON
 */
public record Kind<T extends KubernetesObject>(
        String group,
        String version,
        String plural,
        String kind,
        boolean namespaced,
        Class<T> type) {

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
