package io.coil.apiserver.discovery;

import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * OpenAPI v3: an index, and one document for each group and version. kubectl reads from them that
 * the server checks fields itself, and {@code kubectl explain} reads the schemas.
 */
final class OpenApi {
    /**
     * @param version of the registry that they were made from
     */
    private record Documents(long version, ObjectNode index, Map<String, String> byPath) {}

    private final ResourceRegistry registry;
    private final AtomicReference<@Nullable Documents> made = new AtomicReference<>();

    OpenApi(ResourceRegistry registry) {
        this.registry = registry;
    }

    ObjectNode index() {
        return documents().index();
    }

    /**
     * @param path {@code api/v1} or {@code apis/<group>/<version>}
     */
    Optional<ApiResponse> document(String path) {
        return Optional.ofNullable(documents().byPath().get(path))
                .map(
                        document ->
                                new ApiResponse.Whole(200, Map.of(), "application/json", document));
    }

    private Documents documents() {
        Documents current = made.get();
        long version = registry.version();
        if (current == null || current.version() != version) {
            current = make(version);
            made.set(current);
        }
        return current;
    }

    private Documents make(long version) {
        Map<String, ObjectNode> documents = new LinkedHashMap<>();
        for (ResourceType type : registry.types()) {
            String path =
                    type.group().isEmpty()
                            ? "api/" + type.version()
                            : "apis/" + type.group() + "/" + type.version();
            describe(type, "/" + path, documents.computeIfAbsent(path, p -> empty()));
        }
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        Map<String, String> texts = new LinkedHashMap<>();
        documents.forEach(
                (path, document) -> {
                    String text = JsonText.write(document);
                    texts.put(path, text);
                    // The hash lets clients keep the document until it changes.
                    String url = "/openapi/v3/%s?hash=%08X".formatted(path, text.hashCode());
                    paths.putObject(path).put("serverRelativeURL", url);
                });
        return new Documents(version, index, texts);
    }

    private static ObjectNode empty() {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.32.0");
        document.putObject("paths");
        document.putObject("components").putObject("schemas");
        return document;
    }

    private static void describe(ResourceType type, String base, ObjectNode document) {
        ObjectNode schemas =
                document.withObjectProperty("components").withObjectProperty("schemas");
        String name = schemaName(type);
        schemas.set(name, schema(type));
        String collection =
                base + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        ObjectNode paths = document.withObjectProperty("paths");
        ObjectNode many = paths.putObject(collection);
        many.set("get", operation(type, "list", name));
        many.set("post", withBody(operation(type, "post", name), name, "application/json"));
        many.set("delete", operation(type, "deletecollection", name));
        describeOne(type, name, paths.putObject(collection + "/{name}"));
        if (type.statusSubresource()) {
            describeOne(type, name, paths.putObject(collection + "/{name}/status"));
        }
        if (type.namespaced()) {
            paths.putObject(base + "/" + type.plural()).set("get", operation(type, "list", name));
        }
    }

    private static void describeOne(ResourceType type, String name, ObjectNode path) {
        path.set("get", operation(type, "get", name));
        path.set("put", withBody(operation(type, "put", name), name, "application/json"));
        // Strategic merge is served but not listed: who sees it listed takes the merge keys of
        // lists from the schemas, which do not have them; who does not uses his own.
        path.set(
                "patch",
                withBody(
                        operation(type, "patch", name),
                        name,
                        "application/merge-patch+json",
                        "application/json-patch+json"));
        path.set("delete", operation(type, "delete", name));
    }

    private static ObjectNode operation(ResourceType type, String action, String schema) {
        ObjectNode operation = Json.object();
        operation.put("operationId", action + type.kind());
        var parameters = operation.putArray("parameters");
        boolean write = action.equals("post") || action.equals("put") || action.equals("patch");
        for (String parameter :
                write ? List.of("dryRun", "fieldManager", "fieldValidation") : List.<String>of()) {
            parameters
                    .addObject()
                    .put("name", parameter)
                    .put("in", "query")
                    .putObject("schema")
                    .put("type", "string");
        }
        operation
                .putObject("responses")
                .putObject("200")
                .put("description", "OK")
                .putObject("content")
                .putObject("application/json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/" + schema);
        operation.put("x-kubernetes-action", action);
        operation.set("x-kubernetes-group-version-kind", kind(type));
        return operation;
    }

    private static ObjectNode withBody(ObjectNode operation, String schema, String... types) {
        ObjectNode content = operation.putObject("requestBody").putObject("content");
        for (String type : types) {
            content.putObject(type)
                    .putObject("schema")
                    .put("$ref", "#/components/schemas/" + schema);
        }
        return operation;
    }

    private static ObjectNode kind(ResourceType type) {
        return Json.object()
                .put("group", type.group())
                .put("kind", type.kind())
                .put("version", type.version());
    }

    private static ObjectNode schema(ResourceType type) {
        JsonNode given = type.schema();
        ObjectNode schema =
                given instanceof ObjectNode known
                        ? known.deepCopy()
                        : Json.object()
                                .put("type", "object")
                                .put("x-kubernetes-preserve-unknown-fields", true);
        schema.putArray("x-kubernetes-group-version-kind").add(kind(type));
        return schema;
    }

    /** {@code com.example.stable.v1.Widget}: the group's labels reversed, version, kind. */
    private static String schemaName(ResourceType type) {
        String group = type.group().isEmpty() ? "io.k8s.api.core" : reversed(type.group());
        return group + "." + type.version() + "." + type.kind();
    }

    private static String reversed(String group) {
        return Arrays.asList(group.split("\\.")).reversed().stream()
                .collect(Collectors.joining("."));
    }
}
