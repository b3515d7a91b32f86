package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param asOf when what is shown was true
 * @param ageSeconds since then
 * @param total items in the whole list
 * @param next give it as {@code continue} for the next part; null if this is the last one
 */
public record Page<T>(
        Instant asOf, double ageSeconds, int total, List<T> items, @Nullable String next) {
    private static final int MOST = 5000;

    /** Lists change between parts; {@code continue} is the name to go on after. */
    static <V, T> Page<T> of(
            Current current,
            List<V> all,
            Function<V, String> name,
            Function<V, T> item,
            @Nullable Integer limit,
            @Nullable String after) {
        int most = limit == null ? MOST : limit;
        if (most < 1 || most > MOST) {
            throw Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "limit is out of range",
                            "limit is %d, allowed is 1 to %d.".formatted(most, MOST))
                    .thrown();
        }
        int from = 0;
        if (after != null) {
            while (from < all.size() && !name.apply(all.get(from)).equals(after)) {
                from++;
            }
            if (from == all.size()) {
                throw Problem.of(
                                HttpStatus.GONE,
                                "The list has changed",
                                "\"%s\" is no longer in it; begin again without continue."
                                        .formatted(after))
                        .thrown();
            }
            from++;
        }
        int to = Math.min(all.size(), from + most);
        return new Page<>(
                current.asOf(),
                current.age().toMillis() / 1000.0,
                all.size(),
                all.subList(from, to).stream().map(item).toList(),
                to < all.size() ? name.apply(all.get(to - 1)) : null);
    }
}
