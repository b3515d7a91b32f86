package io.coil.kubernetes.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads of object metadata that do not trip over what is absent. */
public final class Meta {
    private Meta() {}

    public static String name(V1ObjectMeta meta) {
        return Objects.requireNonNull(meta.getName(), "object without a name");
    }

    public static String uid(V1ObjectMeta meta) {
        return Objects.requireNonNull(meta.getUid(), "object without a uid");
    }

    public static String version(V1ObjectMeta meta) {
        return Objects.requireNonNull(meta.getResourceVersion(), "object without a version");
    }

    public static @Nullable String label(V1ObjectMeta meta, String name) {
        Map<String, String> labels = meta.getLabels();
        return labels == null ? null : labels.get(name);
    }

    public static @Nullable String annotation(V1ObjectMeta meta, String name) {
        Map<String, String> annotations = meta.getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    public static Map<String, String> annotations(V1ObjectMeta meta) {
        Map<String, String> annotations = meta.getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    public static boolean beingDeleted(V1ObjectMeta meta) {
        return meta.getDeletionTimestamp() != null;
    }

    public static List<String> finalizers(V1ObjectMeta meta) {
        List<String> finalizers = meta.getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }

    /** UID of the owner that is of this kind, or null. */
    public static @Nullable String ownerUid(V1ObjectMeta meta, String kind) {
        if (meta.getOwnerReferences() == null) {
            return null;
        }
        return meta.getOwnerReferences().stream()
                .filter(o -> kind.equals(o.getKind()))
                .map(o -> o.getUid())
                .findFirst()
                .orElse(null);
    }
}
