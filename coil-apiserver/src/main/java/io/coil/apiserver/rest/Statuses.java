package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** The Status objects that failures, and some successes, are answered with. */
final class Statuses {
    private Statuses() {}

    static ObjectNode failure(int code, String reason, String message) {
        ObjectNode status = empty("Failure").put("message", message).put("reason", reason);
        return status.put("code", code);
    }

    static ObjectNode success(int code) {
        return empty("Success").put("code", code);
    }

    private static ObjectNode empty(String outcome) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", outcome);
    }

    static ApiStatusException notFound() {
        return new ApiStatusException(
                404, "NotFound", "the server could not find the requested resource");
    }

    static ApiStatusException methodNotAllowed() {
        return new ApiStatusException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource");
    }

    static ApiStatusException badRequest(String message) {
        return new ApiStatusException(400, "BadRequest", message);
    }

    /**
     * @param target what the request was for, for the details
     */
    static ApiResponse response(ApiStatusException e, @Nullable Target target) {
        String message = e.getMessage() == null ? e.reason() : e.getMessage();
        ObjectNode status = failure(e.code(), e.reason(), message);
        ObjectNode details = Json.object();
        // With a name and without causes, kubectl would show the name and drop the message.
        boolean sentenceOnly = e.reason().equals("Invalid") && e.causes().isEmpty();
        if (target != null && !sentenceOnly) {
            if (target.name() != null) {
                details.put("name", target.name());
            }
            if (!target.group().isEmpty()) {
                details.put("group", target.group());
            }
            details.put("kind", target.plural());
        }
        if (!e.causes().isEmpty()) {
            ArrayNode causes = details.putArray("causes");
            for (ApiStatusException.Cause cause : e.causes()) {
                causes.addObject()
                        .put("reason", cause.reason())
                        .put("message", cause.message())
                        .put("field", cause.field());
            }
        }
        Integer retryAfter = e.retryAfterSeconds();
        if (retryAfter != null) {
            details.put("retryAfterSeconds", retryAfter);
        }
        if (!details.isEmpty()) {
            status.set("details", details);
        }
        ApiResponse.Whole whole = ApiResponse.json(e.code(), status);
        return retryAfter == null
                ? whole
                : new ApiResponse.Whole(
                        whole.code(),
                        Map.of("Retry-After", Integer.toString(retryAfter)),
                        whole.contentType(),
                        whole.body());
    }

    /** The answer to a deletion that left nothing behind. */
    static ObjectNode deleted(Target target, JsonNode object) {
        ObjectNode status = empty("Success");
        ObjectNode details = status.putObject("details");
        details.put("name", object.path("metadata").path("name").asString(""));
        if (!target.group().isEmpty()) {
            details.put("group", target.group());
        }
        details.put("kind", target.plural());
        details.put("uid", object.path("metadata").path("uid").asString(""));
        return status;
    }
}
