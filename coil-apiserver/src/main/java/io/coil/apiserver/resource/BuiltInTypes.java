package io.coil.apiserver.resource;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The types of {@code types.yaml}, with the schemas of {@code schemas.yaml}. */
final class BuiltInTypes {
    private static final YAMLMapper YAML = new YAMLMapper();

    private BuiltInTypes() {}

    static List<ResourceType> read() {
        JsonNode schemas = resource("schemas.yaml");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode type : resource("types.yaml")) {
            types.add(type(type, BuiltInSchemas.of(schemas, type.path("kind").asString())));
        }
        return types;
    }

    private static ResourceType type(JsonNode type, @Nullable JsonNode schema) {
        String kind = type.path("kind").asString();
        return new ResourceType(
                type.path("group").asString(),
                type.path("version").asString(),
                type.path("plural").asString(),
                kind.toLowerCase(Locale.ROOT),
                kind,
                Json.texts(type.path("short")),
                Json.texts(type.path("categories")),
                type.path("namespaced").asBoolean(),
                type.path("status").asBoolean(false),
                type.path("scale").asBoolean(false),
                false,
                schema,
                columns(type.path("columns")));
    }

    private static List<ResourceType.Column> columns(JsonNode columns) {
        List<ResourceType.Column> made = new ArrayList<>();
        for (JsonNode column : columns) {
            made.add(
                    new ResourceType.Column(
                            column.path(0).asString(),
                            column.path(1).asString(),
                            "",
                            "",
                            column.path(2).asString(),
                            column.path(3).asInt(0)));
        }
        return List.copyOf(made);
    }

    private static JsonNode resource(String name) {
        try (InputStream in = BuiltInTypes.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: " + name);
            }
            return YAML.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
