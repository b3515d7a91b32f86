package io.coil.controller.work;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Takes our finalizer off the very object that was read, with its UID and resourceVersion as
 * preconditions: by name alone, it would be taken off whatever has that name by now.
 */
public final class FinalizerOff {
    private FinalizerOff() {}

    /** An object that is gone, or has no finalizer of ours, is well. */
    public static <T extends KubernetesObject> void of(KubeApi api, Kind<T> kind, T read) {
        V1ObjectMeta meta = read.getMetadata();
        Finalizers.without(meta)
                .ifPresent(
                        patch -> {
                            try {
                                api.patch(
                                        kind, null, Meta.name(meta), Preconditions.of(meta), patch);
                            } catch (ApiFailure.Stale e) {
                                if (!e.notFound()) {
                                    throw e;
                                }
                            }
                        });
    }
}
