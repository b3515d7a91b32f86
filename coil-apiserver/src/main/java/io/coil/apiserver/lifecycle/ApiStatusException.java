package io.coil.apiserver.lifecycle;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A request that is answered with a Kubernetes {@code Status} of failure.
 *
 * <p>{@code code} is the HTTP status, {@code reason} Kubernetes' word for it ({@code NotFound},
 * {@code AlreadyExists}, {@code Conflict}, {@code Expired}, {@code Invalid}, {@code BadRequest},
 * {@code Forbidden}, ...).
 */
public final class ApiStatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * One field that is wrong: its path, Kubernetes' word for the kind of error, and the sentence.
     */
    public record Cause(String field, String reason, String message) {}

    private final int code;
    private final String reason;
    private final transient List<Cause> causes;
    private final @Nullable Integer retryAfterSeconds;

    public ApiStatusException(int code, String reason, String message) {
        this(code, reason, message, List.of(), null);
    }

    public ApiStatusException(
            int code,
            String reason,
            String message,
            List<Cause> causes,
            @Nullable Integer retryAfterSeconds) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.causes = List.copyOf(causes);
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public List<Cause> causes() {
        return causes;
    }

    /** Seconds that the client is told to wait, or null. */
    public @Nullable Integer retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
