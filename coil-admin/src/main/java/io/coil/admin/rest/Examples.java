package io.coil.admin.rest;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Puts examples into the description: {@code examples.json} has them by method and path, the body
 * that is sent and the answers by media type. A test holds that they fit the description.
 */
final class Examples implements OpenApiCustomizer {
    private final JsonNode known;

    Examples(JsonMapper json) {
        try (InputStream file = Examples.class.getResourceAsStream("examples.json")) {
            if (file == null) {
                throw new IllegalStateException("examples.json is missing");
            }
            known = json.readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void customise(OpenAPI description) {
        if (description.getPaths() == null) {
            return;
        }
        description
                .getPaths()
                .forEach(
                        (path, item) ->
                                item.readOperationsMap()
                                        .forEach(
                                                (method, operation) ->
                                                        put(
                                                                known.get(method + " " + path),
                                                                operation)));
    }

    private static void put(@Nullable JsonNode example, Operation operation) {
        if (example == null) {
            return;
        }
        if (operation.getRequestBody() != null) {
            put(example.get("request"), operation.getRequestBody().getContent());
        }
        for (Map.Entry<String, JsonNode> answer : example.path("answers").properties()) {
            ApiResponse response = operation.getResponses().get(answer.getKey());
            if (response != null && response.getContent() != null) {
                put(answer.getValue(), response.getContent());
            }
        }
    }

    /** Text is an example of CSV, anything else one of JSON. */
    private static void put(@Nullable JsonNode byType, @Nullable Content content) {
        if (byType == null || content == null) {
            return;
        }
        byType.properties()
                .forEach(
                        type -> {
                            MediaType there = content.get(type.getKey());
                            if (there != null) {
                                there.setExample(plain(type.getValue()));
                            }
                        });
    }

    private static Object plain(JsonNode value) {
        return value.isString()
                ? value.asString()
                : new JsonMapper().treeToValue(value, Object.class);
    }
}
