package io.coil.simulation.api;

import com.google.gson.JsonObject;

import io.coil.apiserver.json.Json;
import io.coil.kubernetes.api.Kind;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * An object as it was when somebody sent it; what its sender does to it later is no concern of the
 * call that is under way.
 */
record Body<T extends KubernetesObject>(
        Kind<T> kind, @Nullable String namespace, String name, ObjectNode tree) {

    static <T extends KubernetesObject> Body<T> of(Kind<T> kind, T object) {
        JsonObject said =
                io.coil.kubernetes.resource.Json.GSON.toJsonTree(object).getAsJsonObject();
        said.addProperty("apiVersion", kind.apiVersion());
        said.addProperty("kind", kind.kind());
        return new Body<>(
                kind,
                object.getMetadata().getNamespace(),
                String.valueOf(object.getMetadata().getName()),
                (ObjectNode) Json.MAPPER.readTree(said.toString()));
    }
}
