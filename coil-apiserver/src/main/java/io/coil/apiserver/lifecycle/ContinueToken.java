package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.store.ObjectKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where the next page of a list begins.
 *
 * @param version the moment that all pages show
 */
record ContinueToken(long version, ObjectKey after) {

    static @Nullable ContinueToken parse(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            JsonNode token = Json.MAPPER.readTree(Base64.getUrlDecoder().decode(text));
            if (token.path("v").asLong(-1) >= 0 && token.path("name").isString()) {
                return new ContinueToken(
                        token.path("v").asLong(),
                        new ObjectKey(
                                token.path("namespace").asString(""),
                                token.path("name").asString()));
            }
        } catch (IllegalArgumentException | JacksonException e) {
            // told below
        }
        throw ApiErrors.badRequest("continue key is not valid: " + text);
    }

    @Override
    public String toString() {
        String json =
                Json.object()
                        .put("v", version)
                        .put("namespace", after.namespace())
                        .put("name", after.name())
                        .toString();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
