package io.coil.admin.history;

import java.time.Instant;

/**
 * A time in which somebody watched, or nobody did.
 *
 * @param from not before
 * @param to not after
 */
public record Watched(Instant from, Instant to) {}
