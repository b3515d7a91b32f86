package io.coil.admin.rest;

import io.coil.admin.problem.Problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the filter {@code state}; a word of several may be written with hyphens. */
final class State {
    private State() {}

    /** Null if none was asked for; refuses one that is not known. */
    static <E extends Enum<E>> @Nullable E of(
            @Nullable String text, E[] known, Function<E, String> word) {
        if (text == null || text.isBlank()) {
            return null;
        }
        for (E state : known) {
            if (plain(word.apply(state)).equals(plain(text))) {
                return state;
            }
        }
        throw Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "There is no state " + text,
                        "Known are %s."
                                .formatted(
                                        Arrays.stream(known)
                                                .map(word)
                                                .collect(Collectors.joining(", "))))
                .thrown();
    }

    private static String plain(String text) {
        return text.strip().replace('-', ' ').replace('_', ' ');
    }
}
