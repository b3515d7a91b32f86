package io.coil.kubernetes.api;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What can go wrong with a call to the Kubernetes API: three kinds, by what the caller does next.
 */
public abstract sealed class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Reason: no answer came, or the connection broke. */
    public static final String NO_ANSWER = "NoAnswer";

    /** Reason: the calling task was stopped; its interrupt is still set. */
    public static final String INTERRUPTED = "Interrupted";

    /** Reason: the server knows no such kind. Says nothing about any object. */
    public static final String NO_SUCH_RESOURCE = "NoSuchResource";

    /** Reason: the object is there, but its kind has no status subresource. */
    public static final String STATUS_MISSING = "StatusSubresourceMissing";

    private final String message;
    private final int code;
    private final String reason;

    private ApiFailure(int code, String reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.message = message;
        this.code = code;
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** HTTP status; 0 if there was no answer. */
    public int code() {
        return code;
    }

    /** Kubernetes' word ({@code Conflict}, {@code Forbidden}, ...), or {@code NoAnswer}. */
    public String reason() {
        return reason;
    }

    /** Try again: no answer, 429, 5xx. A write may have taken effect all the same. */
    public static final class Transient extends ApiFailure {
        private static final long serialVersionUID = 1L;
        private final Duration retryAfter;

        public Transient(
                int code,
                String reason,
                String message,
                Duration retryAfter,
                @Nullable Throwable cause) {
            super(code, reason, message, cause);
            this.retryAfter = retryAfter;
        }

        /** How long the server asked to wait; zero if it did not. */
        public Duration retryAfter() {
            return retryAfter;
        }
    }

    /**
     * Tell the caller: the request is wrong or not allowed, and will be again (400, 401, 403, 422,
     * ...).
     */
    public static final class Rejected extends ApiFailure {
        private static final long serialVersionUID = 1L;

        public Rejected(int code, String reason, String message) {
            super(code, reason, message, null);
        }
    }

    /**
     * Look again and decide anew: the object changed, is gone, is there already, or the version is
     * no longer kept (404 of a write, 409, 410).
     */
    public static final class Stale extends ApiFailure {
        private static final long serialVersionUID = 1L;

        public Stale(int code, String reason, String message) {
            super(code, reason, message, null);
        }

        /** There is no such object. */
        public boolean notFound() {
            return code() == 404 && !statusMissing();
        }

        /**
         * The object is there, its kind has no status subresource: Coil's own CRDs were applied
         * over ours. No error; what is written elsewhere than in the status goes on.
         */
        public boolean statusMissing() {
            return reason().equals(STATUS_MISSING);
        }

        public boolean alreadyExists() {
            return reason().equals("AlreadyExists");
        }

        /** The resourceVersion of a watch or of a list's page is no longer kept: list again. */
        public boolean expired() {
            return code() == 410;
        }
    }
}
