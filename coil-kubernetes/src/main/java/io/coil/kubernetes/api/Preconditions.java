package io.coil.kubernetes.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** What must still be true of an object for a write to take effect; null: not asked. */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {
    public static final Preconditions NONE = new Preconditions(null, null);

    public static Preconditions uid(String uid) {
        return new Preconditions(uid, null);
    }

    /** The very object, as it was read. */
    public static Preconditions of(V1ObjectMeta read) {
        return new Preconditions(
                Objects.requireNonNull(read.getUid()),
                Objects.requireNonNull(read.getResourceVersion()));
    }
}
