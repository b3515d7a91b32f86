package io.coil.admin.history;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A collection freed an address.
 *
 * @param container that had it; null if the collection did not say
 * @param run the collection's name
 */
public record Freed(
        String address,
        @Nullable String container,
        String rule,
        String run,
        @Nullable Instant started,
        @Nullable Instant finished) {}
