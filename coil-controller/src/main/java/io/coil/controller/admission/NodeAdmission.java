package io.coil.controller.admission;

import com.google.gson.JsonElement;

import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.kubernetes.client.openapi.models.V1Node;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * What is asked about Nodes: whether the mode of collection that somebody sets can be understood.
 * Nothing of a Node may depend on it, so only that change is asked about, and no answer is a yes.
 */
final class NodeAdmission {
    AdmissionReview.Response validate(AdmissionReview.Request request) {
        String bad =
                ChangedSwitches.refusal(
                        annotations(request.oldObject()),
                        annotations(request.object()),
                        List.of(PoolSwitches.COLLECTION));
        return bad == null
                ? AdmissionReview.Response.allowed(request.uid(), List.of())
                : AdmissionReview.Response.refused(request.uid(), "node: " + bad);
    }

    private static Map<String, String> annotations(@Nullable JsonElement object) {
        if (object == null || object.isJsonNull()) {
            return Map.of();
        }
        V1Node node = Json.GSON.fromJson(object, V1Node.class);
        return node.getMetadata() == null ? Map.of() : Meta.annotations(node.getMetadata());
    }
}
