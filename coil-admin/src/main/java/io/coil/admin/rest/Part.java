package io.coil.admin.rest;

import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.Current;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.time.Instant;
import java.util.List;

/**
 * Which part of a list somebody asks for, and in which order.
 *
 * @param limit items at most
 * @param after {@code continue} as it was sent; null: from the beginning
 * @param sort as it was sent; null: the usual order
 * @param query path, filters and sort of the request: what has to be the same for all parts
 */
record Part(int limit, @Nullable String after, @Nullable String sort, String query) {
    static final int MOST = 5000;

    Part {
        if (limit < 1 || limit > MOST) {
            throw Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "Parameter limit cannot be used",
                            "limit is %d, allowed is 1 to %d.".formatted(limit, MOST))
                    .thrown();
        }
    }

    /**
     * @param usual order, if none was asked for
     * @param unique fields that together name one item
     */
    <T extends Record> Page<T> of(
            Current current, Class<T> type, List<T> all, String usual, String unique) {
        Sorting sorting = Sorting.of(Fields.of(type), sort, usual, unique);
        List<T> sorted = sorting.sorted(all);
        Instant now = current.asOf().plus(current.age());
        Instant begun = now;
        int from = 0;
        if (after != null) {
            Continue on = Continue.of(after, query, now);
            begun = on.begun();
            from = place(sorting, sorted, on);
        }
        int to = Math.min(sorted.size(), from + limit);
        String next =
                to < sorted.size()
                        ? new Continue(begun, query, sorting.place(sorted.get(to - 1))).text()
                        : null;
        return new Page<>(
                current.asOf(),
                current.age().toMillis() / 1000.0,
                sorted.size(),
                List.copyOf(sorted.subList(from, to)),
                next);
    }

    /** The first item behind that place. */
    private static <T> int place(Sorting sorting, List<T> sorted, Continue on) {
        if (on.after().size() != sorting.size()) {
            throw Continue.notOurs();
        }
        try {
            int from = 0;
            while (from < sorted.size()
                    && sorting.compare(sorting.place(sorted.get(from)), on.after()) <= 0) {
                from++;
            }
            return from;
        } catch (ClassCastException e) {
            throw Continue.notOurs();
        }
    }
}
