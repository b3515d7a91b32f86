package io.coil.controller.work;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Our finalizer, on and off. Always with UID and resourceVersion as preconditions: by name alone,
 * it would be taken off whatever has that name by now.
 */
public final class Finalizers {
    private Finalizers() {}

    public static <T extends KubernetesObject> T takeOff(KubeApi api, Kind<T> kind, T read) {
        List<String> rest = new ArrayList<>(Meta.finalizers(read.getMetadata()));
        rest.remove(Names.FINALIZER);
        return patch(api, kind, read.getMetadata(), rest);
    }

    public static <T extends KubernetesObject> T putOn(KubeApi api, Kind<T> kind, T read) {
        List<String> more = new ArrayList<>(Meta.finalizers(read.getMetadata()));
        more.add(Names.FINALIZER);
        return patch(api, kind, read.getMetadata(), more);
    }

    private static <T extends KubernetesObject> T patch(
            KubeApi api, Kind<T> kind, V1ObjectMeta read, List<String> finalizers) {
        String patch = Json.write(Map.of("metadata", Map.of("finalizers", finalizers)));
        return api.patch(kind, null, Meta.name(read), Preconditions.of(read), patch);
    }
}
