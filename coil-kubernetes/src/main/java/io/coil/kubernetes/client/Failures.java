package io.coil.kubernetes.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.coil.kubernetes.api.ApiFailure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What an answer that is no success means to the caller. The body of such an answer is a Kubernetes
 * Status, unless something before the API server gave it.
 */
final class Failures {
    private static final int MOST_TEXT = 300;

    /** How Kubernetes begins the message about a path that it does not serve. */
    private static final String NO_PATH = "the server could not find the requested resource";

    private Failures() {}

    /** The connection broke, or no answer came in time: a write may have taken effect. */
    static ApiFailure noAnswer(Ask ask, Exception why) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        return new ApiFailure.Transient(
                0,
                interrupted ? ApiFailure.INTERRUPTED : ApiFailure.NO_ANSWER,
                "%s: no answer: %s".formatted(ask, why),
                Duration.ZERO,
                why);
    }

    /** It answered, but not with what we can read. */
    static ApiFailure unreadable(Ask ask, RuntimeException why) {
        return new ApiFailure.Transient(
                0,
                "UnreadableAnswer",
                "%s: the answer cannot be read: %s".formatted(ask, why),
                Duration.ZERO,
                why);
    }

    static ApiFailure of(Ask ask, int code, @Nullable String retryAfter, String body) {
        JsonObject status = status(body);
        Duration wait = wait(retryAfter, status);
        String message = "%s: %s".formatted(ask, message(status, code, body));
        return of(code, status, message, wait);
    }

    /** The Status that a watch ends with. */
    static ApiFailure ofEvent(JsonObject status) {
        int code = status.has("code") ? status.get("code").getAsInt() : 500;
        return of(code, status, message(status, code, ""), wait(null, status));
    }

    private static ApiFailure of(int code, JsonObject status, String message, Duration wait) {
        String reason = reason(status, code);
        if (code == 408 || code == 429 || code >= 500) {
            return new ApiFailure.Transient(code, reason, message, wait, null);
        }
        if (code == 404 && !namesWhatIsMissing(status)) {
            // Not "the object is gone": a path that is not served, or a proxy's own page. Whoever
            // took it for a missing object would give up addresses that are in use.
            return new ApiFailure.Transient(
                    code,
                    ApiFailure.NO_SUCH_RESOURCE,
                    message + "; are Coil's custom resource definitions installed?",
                    wait,
                    null);
        }
        if (code == 404 || code == 409 || code == 410) {
            return new ApiFailure.Stale(code, reason, message);
        }
        if (code == 422 && isAboutUid(status)) {
            // A patch that carries another UID than the object is answered so, not by a conflict.
            return new ApiFailure.Stale(409, "Conflict", message);
        }
        return new ApiFailure.Rejected(code, reason, message);
    }

    private static JsonObject status(String body) {
        try {
            JsonElement parsed = JsonParser.parseString(body);
            return parsed.isJsonObject() ? parsed.getAsJsonObject() : new JsonObject();
        } catch (JsonParseException notFromKubernetes) {
            return new JsonObject();
        }
    }

    private static String reason(JsonObject status, int code) {
        String reason = text(status, "reason");
        return reason.isEmpty() ? "HTTP" + code : reason;
    }

    private static String message(JsonObject status, int code, String body) {
        String message = text(status, "message");
        if (!message.isEmpty()) {
            return message;
        }
        String start = body.strip();
        start = start.length() > MOST_TEXT ? start.substring(0, MOST_TEXT) + "..." : start;
        return "HTTP status %d %s".formatted(code, start).strip();
    }

    private static JsonObject details(JsonObject status) {
        return status.get("details") instanceof JsonObject details ? details : new JsonObject();
    }

    private static boolean namesWhatIsMissing(JsonObject status) {
        return !text(details(status), "name").isEmpty()
                && !text(status, "message").startsWith(NO_PATH);
    }

    private static boolean isAboutUid(JsonObject status) {
        if (!(details(status).get("causes") instanceof JsonArray causes)) {
            return false;
        }
        for (JsonElement cause : causes) {
            if (cause instanceof JsonObject object
                    && text(object, "field").equals("metadata.uid")) {
                return true;
            }
        }
        return false;
    }

    /** In seconds; dates, which Kubernetes does not send, count as no wish. */
    private static Duration wait(@Nullable String header, JsonObject status) {
        String seconds =
                header == null ? text(details(status), "retryAfterSeconds") : header.strip();
        try {
            return seconds.isEmpty()
                    ? Duration.ZERO
                    : Duration.ofSeconds(Math.max(0, Integer.parseInt(seconds)));
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    private static String text(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
    }
}
