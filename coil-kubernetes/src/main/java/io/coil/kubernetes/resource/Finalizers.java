package io.coil.kubernetes.resource;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Our finalizer, put on and taken off by merge patches that leave those of others alone. */
public final class Finalizers {
    private Finalizers() {}

    public static boolean has(V1ObjectMeta meta) {
        return Meta.finalizers(meta).contains(Names.FINALIZER);
    }

    /** The merge patch that takes ours off an object as it was read; empty if it is not on. */
    public static Optional<String> without(V1ObjectMeta read) {
        if (!has(read)) {
            return Optional.empty();
        }
        return Optional.of(
                patch(
                        Meta.finalizers(read).stream()
                                .filter(f -> !f.equals(Names.FINALIZER))
                                .toList()));
    }

    /** The merge patch that puts ours on an object as it was read; empty if it is on. */
    public static Optional<String> with(V1ObjectMeta read) {
        if (has(read)) {
            return Optional.empty();
        }
        return Optional.of(
                patch(
                        Stream.concat(Meta.finalizers(read).stream(), Stream.of(Names.FINALIZER))
                                .toList()));
    }

    private static String patch(List<String> finalizers) {
        JsonArray list = new JsonArray();
        finalizers.forEach(list::add);
        JsonObject metadata = new JsonObject();
        metadata.add("finalizers", list);
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        return patch.toString();
    }
}
