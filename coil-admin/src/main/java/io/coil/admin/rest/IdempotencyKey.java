package io.coil.admin.rest;

import io.coil.admin.problem.Problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** The header by which a program says that two requests are one. */
final class IdempotencyKey {
    static final String HEADER = "Idempotency-Key";
    private static final int LONGEST = 200;

    private IdempotencyKey() {}

    /** Refuses one that cannot be used; none is fine. */
    static void check(@Nullable String key) {
        if (key != null && (key.isBlank() || key.length() > LONGEST)) {
            throw Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "That Idempotency-Key cannot be used",
                            "It must have 1 to %d characters. Nothing has been done."
                                    .formatted(LONGEST))
                    .thrown();
        }
    }
}
