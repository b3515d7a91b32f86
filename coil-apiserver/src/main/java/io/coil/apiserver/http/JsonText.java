package io.coil.apiserver.http;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.protobuf.Protobuf;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.util.Set;

/** The bodies of requests and answers: text to trees and back. */
public final class JsonText {
    private static final YAMLMapper YAML = YAMLMapper.builder().build();
    private static final Set<String> YAML_TYPES = Set.of("application/yaml", "text/yaml");
    private static final Set<String> JSON_TYPES = Set.of("", "application/json", "text/json");

    private JsonText() {}

    public static String write(JsonNode node) {
        return Json.MAPPER.writeValueAsString(node);
    }

    public static String writeYaml(JsonNode node) {
        return YAML.writeValueAsString(node);
    }

    /** The object that a request carries as JSON, YAML or protobuf; no content type means JSON. */
    public static ObjectNode object(ApiRequest request) {
        String type = request.contentType();
        if (type.equals(Protobuf.CONTENT_TYPE)) {
            return Protobuf.read(request.body());
        }
        if (!YAML_TYPES.contains(type) && !JSON_TYPES.contains(type)) {
            throw new ApiStatusException(
                    415,
                    "UnsupportedMediaType",
                    "the body of the request was in an unknown format ("
                            + type
                            + "): this server reads application/json and application/yaml");
        }
        JsonNode body = read(request.body(), YAML_TYPES.contains(type));
        if (body instanceof ObjectNode object) {
            return object;
        }
        throw new ApiStatusException(
                400, "BadRequest", "the body of the request must be one object");
    }

    /** A body that cannot be read is the client's mistake (400). */
    public static JsonNode read(String text, boolean yaml) {
        try {
            return yaml ? YAML.readTree(text) : Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new ApiStatusException(
                    400,
                    "BadRequest",
                    "the body of the request was not readable "
                            + (yaml ? "YAML: " : "JSON: ")
                            + e.getOriginalMessage());
        }
    }
}
