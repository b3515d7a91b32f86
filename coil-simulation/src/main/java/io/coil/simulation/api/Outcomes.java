package io.coil.simulation.api;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** Answers in a few words, for the trace. */
final class Outcomes {
    private Outcomes() {}

    static String of(@Nullable Object reply) {
        return switch (reply) {
            case KubernetesObject object -> object(object.getMetadata());
            case Optional<?> found -> found.isEmpty() ? "none" : of(found.get());
            case List<?> items -> items.size() + " items" + names(items);
            case null, default -> "ok";
        };
    }

    private static String names(List<?> items) {
        if (items.isEmpty() || items.size() > 12) {
            return "";
        }
        StringBuilder names = new StringBuilder(":");
        for (Object item : items) {
            if (item instanceof KubernetesObject object) {
                names.append(' ').append(object.getMetadata().getName());
            }
        }
        return names.toString();
    }

    private static String object(V1ObjectMeta meta) {
        String uid = String.valueOf(meta.getUid());
        return "ok (uid %s, rv %s%s)"
                .formatted(
                        uid.substring(0, Math.min(8, uid.length())),
                        meta.getResourceVersion(),
                        meta.getDeletionTimestamp() == null ? "" : ", being deleted");
    }
}
