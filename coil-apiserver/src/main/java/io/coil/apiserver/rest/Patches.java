package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.patch.JsonPatch;
import io.coil.apiserver.patch.MergePatch;
import io.coil.apiserver.patch.StrategicMergePatch;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.function.UnaryOperator;

/** The change that the body of a PATCH asks for, by its content type. */
final class Patches {
    private Patches() {}

    static UnaryOperator<ObjectNode> of(ApiRequest request, ResourceType type) {
        return switch (request.contentType()) {
            case "application/merge-patch+json" -> {
                JsonNode patch = object(request);
                yield current -> (ObjectNode) MergePatch.apply(current, patch);
            }
            case "application/strategic-merge-patch+json" -> {
                if (type.custom()) {
                    throw unsupported(
                            "strategic merge patches are not for custom resources: use"
                                    + " application/merge-patch+json");
                }
                ObjectNode patch = object(request);
                yield current -> StrategicMergePatch.apply(current, patch);
            }
            case "application/json-patch+json" -> {
                JsonPatch patch = JsonPatch.parse(JsonText.read(request.body(), false));
                yield current -> stillObject(patch.apply(current));
            }
            case "application/apply-patch+yaml", "application/apply-patch+cbor" ->
                    throw unsupported(
                            "server-side apply is not served by this API server: use kubectl apply"
                                    + " without --server-side");
            default ->
                    throw unsupported(
                            "the body of the request was in an unknown format - accepted media"
                                    + " types include: application/json-patch+json,"
                                    + " application/merge-patch+json,"
                                    + " application/strategic-merge-patch+json");
        };
    }

    private static ObjectNode object(ApiRequest request) {
        if (JsonText.read(request.body(), false) instanceof ObjectNode patch) {
            return patch;
        }
        throw Statuses.badRequest("the patch must be one JSON object");
    }

    static ObjectNode stillObject(JsonNode patched) {
        if (patched instanceof ObjectNode object) {
            return object;
        }
        throw new ApiStatusException(422, "Invalid", "the patch leaves no object");
    }

    private static ApiStatusException unsupported(String message) {
        return new ApiStatusException(415, "UnsupportedMediaType", message);
    }
}
