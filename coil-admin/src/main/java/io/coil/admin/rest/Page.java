package io.coil.admin.rest;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A part of a list.
 *
 * @param asOf when what is shown was true
 * @param ageSeconds since then
 * @param total items in the whole list
 * @param next give it as {@code continue} for the next part; null if this is the last one
 */
public record Page<T>(
        Instant asOf, double ageSeconds, int total, List<T> items, @Nullable String next) {}
