package io.coil.agent.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The kernel refused something, or a dump of it could not be read to its end; the message says what
 * and why.
 */
public final class KernelFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String message;

    public KernelFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
