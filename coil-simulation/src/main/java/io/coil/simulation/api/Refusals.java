package io.coil.simulation.api;

import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.kubernetes.api.ApiFailure;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Refusals of the server, as the client in production tells them to its callers. */
final class Refusals {
    private Refusals() {}

    static ApiFailure of(ApiStatusException e) {
        int code = e.code();
        String message = String.valueOf(e.getMessage());
        if (code == 408 || code == 429 || code >= 500) {
            Integer seconds = e.retryAfterSeconds();
            Duration wait = Duration.ofSeconds(seconds == null ? 0 : seconds);
            return new ApiFailure.Transient(code, e.reason(), message, wait, null);
        }
        if (code == 404 || code == 409 || code == 410) {
            return new ApiFailure.Stale(code, e.reason(), message);
        }
        if (code == 422 && e.causes().stream().anyMatch(c -> c.field().equals("metadata.uid"))) {
            return new ApiFailure.Stale(409, "Conflict", message);
        }
        return new ApiFailure.Rejected(code, e.reason(), message);
    }

    static ApiFailure noAnswer(Object call) {
        return new ApiFailure.Transient(
                0, ApiFailure.NO_ANSWER, call + ": no answer", Duration.ZERO, null);
    }

    static ApiFailure interrupted(Object call) {
        return new ApiFailure.Transient(
                0, ApiFailure.INTERRUPTED, call + ": stopped", Duration.ZERO, null);
    }

    static ApiFailure broken(Object call) {
        return new ApiFailure.Transient(
                500, "InternalError", call + ": internal error", Duration.ZERO, null);
    }

    static ApiFailure busy(Object call, Duration wait) {
        return new ApiFailure.Transient(
                429, "TooManyRequests", call + ": too many requests", wait, null);
    }

    static ApiFailure conflict(Object call) {
        return new ApiFailure.Stale(409, "Conflict", call + ": conflict");
    }

    static ApiFailure expired() {
        return new ApiFailure.Stale(410, "Expired", "the version is no longer kept");
    }

    /** In a word, for the trace. */
    static String word(@Nullable ApiFailure failure) {
        return failure == null ? "ok" : failure.reason() + " " + failure.code();
    }
}
