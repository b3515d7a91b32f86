package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/** Objects in requests: they must be of the kind and name that their path says. */
final class Bodies {
    private Bodies() {}

    static ObjectNode object(ApiRequest request, ResourceType type, Target target) {
        ObjectNode body = JsonText.object(request);
        String apiVersion = expect(body, "apiVersion", type.apiVersion());
        if (!apiVersion.equals(type.apiVersion())) {
            throw Statuses.badRequest(
                    "the API version in the data (%s) does not match the expected API version (%s)"
                            .formatted(apiVersion, type.apiVersion()));
        }
        String kind = expect(body, "kind", type.kind());
        if (!kind.equals(type.kind())) {
            throw Statuses.badRequest(
                    "the kind in the data (%s) does not match the expected kind (%s)"
                            .formatted(kind, type.kind()));
        }
        ObjectNode metadata = Json.metadata(body);
        sameNamespace(Json.text(metadata, "namespace"), target.namespace());
        sameName(metadata, target.name());
        return body;
    }

    private static String expect(ObjectNode body, String field, String expected) {
        String found = body.path(field).asString("");
        if (found.isEmpty()) {
            body.put(field, expected);
            return expected;
        }
        return found;
    }

    private static void sameNamespace(@Nullable String inBody, @Nullable String inPath) {
        if (inBody != null && !inBody.isEmpty() && inPath != null && !inBody.equals(inPath)) {
            throw Statuses.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the"
                            + " request");
        }
    }

    private static void sameName(ObjectNode metadata, @Nullable String inPath) {
        String inBody = metadata.path("name").asString("");
        if (inPath == null) {
            return;
        }
        if (inBody.isEmpty()) {
            metadata.put("name", inPath);
        } else if (!inBody.equals(inPath)) {
            throw new ApiStatusException(
                    400,
                    "BadRequest",
                    "the name of the object (%s) does not match the name on the URL (%s)"
                            .formatted(inBody, inPath));
        }
    }
}
