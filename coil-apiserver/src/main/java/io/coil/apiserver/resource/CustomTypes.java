package io.coil.apiserver.resource;

import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The types that a CustomResourceDefinition declares: one for each version that it serves. */
final class CustomTypes {
    private static final ResourceType.Column AGE =
            new ResourceType.Column("Age", "date", "", "", ".metadata.creationTimestamp", 0);

    private CustomTypes() {}

    static List<ResourceType> of(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        List<ResourceType> types = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean(false)) {
                types.add(type(spec, version));
            }
        }
        return types;
    }

    private static ResourceType type(JsonNode spec, JsonNode version) {
        JsonNode names = spec.path("names");
        String kind = names.path("kind").asString();
        JsonNode subresources = version.path("subresources");
        @Nullable JsonNode schema = version.path("schema").get("openAPIV3Schema");
        return new ResourceType(
                spec.path("group").asString(),
                version.path("name").asString(),
                names.path("plural").asString(),
                names.path("singular").asString(kind.toLowerCase(Locale.ROOT)),
                kind,
                Json.texts(names.path("shortNames")),
                Json.texts(names.path("categories")),
                spec.path("scope").asString().equals("Namespaced"),
                subresources.has("status"),
                subresources.has("scale"),
                true,
                schema,
                columns(version.path("additionalPrinterColumns")));
    }

    private static List<ResourceType.Column> columns(JsonNode columns) {
        if (columns.isEmpty()) {
            return List.of(AGE);
        }
        List<ResourceType.Column> made = new ArrayList<>();
        for (JsonNode column : columns) {
            made.add(
                    new ResourceType.Column(
                            column.path("name").asString(),
                            column.path("type").asString(),
                            column.path("format").asString(""),
                            column.path("description").asString(""),
                            column.path("jsonPath").asString(),
                            column.path("priority").asInt(0)));
        }
        return List.copyOf(made);
    }
}
