package io.coil.apiserver.admission;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Admission;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The AdmissionReview of {@code admission.k8s.io/v1} for a request. */
final class Review {
    private Review() {}

    static ObjectNode of(Admission.Request request, @Nullable ObjectNode object, String uid) {
        ObjectNode review = Json.object();
        review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        ObjectNode asked = Json.child(review, "request");
        var type = request.type();
        ObjectNode kind =
                Json.object()
                        .put("group", type.group())
                        .put("version", type.version())
                        .put("kind", type.kind());
        ObjectNode resource =
                Json.object()
                        .put("group", type.group())
                        .put("version", type.version())
                        .put("resource", type.plural());
        asked.put("uid", uid);
        asked.set("kind", kind);
        asked.set("resource", resource);
        asked.set("requestKind", kind);
        asked.set("requestResource", resource);
        if (!request.subresource().isEmpty()) {
            asked.put("subResource", request.subresource());
            asked.put("requestSubResource", request.subresource());
        }
        asked.put("name", request.name());
        if (request.namespace() != null) {
            asked.put("namespace", request.namespace());
        }
        asked.put("operation", request.operation().name());
        ObjectNode user = Json.child(asked, "userInfo");
        user.put("username", request.user()).set("groups", Json.array(request.groups()));
        asked.set("object", orNull(object));
        asked.set("oldObject", orNull(request.oldObject()));
        asked.put("dryRun", request.dryRun());
        Json.child(asked, "options")
                .put("kind", options(request.operation()))
                .put("apiVersion", "meta.k8s.io/v1");
        return review;
    }

    static JsonNode orNull(@Nullable ObjectNode object) {
        return object == null ? Json.object().nullNode() : object;
    }

    private static String options(Admission.Operation operation) {
        return switch (operation) {
            case CREATE -> "CreateOptions";
            case UPDATE -> "UpdateOptions";
            case DELETE -> "DeleteOptions";
        };
    }
}
