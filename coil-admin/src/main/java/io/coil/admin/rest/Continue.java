package io.coil.admin.rest;

import io.coil.admin.problem.Problem;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Where the next part of a list begins: after a place in its order, not after an item, so that it
 * stays good when that item goes. Callers take it as it is.
 *
 * @param begun when the first part was sent, in whole seconds
 * @param query what was asked for, but for limit and fields
 * @param after place of the last item that was sent
 */
record Continue(Instant begun, String query, List<@Nullable Object> after) {
    /** By then the list is another one, and its parts make no whole. */
    static final Duration LIFE = Duration.ofMinutes(15);

    private static final JsonMapper JSON = new JsonMapper();

    String text() {
        List<@Nullable Object> parts = new ArrayList<>();
        parts.add(begun.getEpochSecond());
        parts.add(query);
        after.forEach(value -> parts.add(value == null ? null : sort(value) + value.toString()));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JSON.writeValueAsBytes(parts));
    }

    private static char sort(Object value) {
        return switch (value) {
            case BigDecimal number -> 'n';
            case Boolean flag -> 'b';
            case Instant time -> 't';
            default -> 's';
        };
    }

    /** Refuses what we did not make, what belongs to another query, and what is too old. */
    static Continue of(String text, String query, Instant now) {
        Continue read = read(text);
        if (!read.query().equals(query)) {
            throw Problem.of(
                            HttpStatus.BAD_REQUEST,
                            "Parameter continue cannot be used",
                            "It belongs to another list: repeat path, filters and sort of the request that it came from.")
                    .thrown();
        }
        if (now.isAfter(read.begun().plus(LIFE))) {
            throw Problem.of(
                            HttpStatus.GONE,
                            "That continue is too old",
                            "A list can be read on for %d minutes from its first part; then it is another one. Begin again without continue."
                                    .formatted(LIFE.toMinutes()))
                    .thrown();
        }
        return read;
    }

    private static Continue read(String text) {
        try {
            JsonNode parts =
                    JSON.readTree(
                            new String(
                                    Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
            List<@Nullable Object> after = new ArrayList<>();
            for (int i = 2; i < parts.size(); i++) {
                after.add(parts.get(i).isNull() ? null : value(parts.get(i).stringValue()));
            }
            return new Continue(
                    Instant.ofEpochSecond(parts.required(0).longValue()),
                    parts.required(1).stringValue(),
                    after);
        } catch (IllegalArgumentException | JacksonException | DateTimeException e) {
            throw notOurs();
        }
    }

    private static Object value(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no sort");
        }
        String rest = text.substring(1);
        return switch (text.charAt(0)) {
            case 'n' -> new BigDecimal(rest);
            case 'b' -> Boolean.valueOf(rest);
            case 't' -> Instant.parse(rest);
            default -> rest;
        };
    }

    static RuntimeException notOurs() {
        return Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "Parameter continue cannot be used",
                        "It is none that was sent from here: give the \"next\" of an answer as it is.")
                .thrown();
    }
}
