package io.coil.apiserver.storage;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** What is there before the first client comes. */
final class Bootstrap {
    private static final List<String> NAMESPACES =
            List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private final ResourceRegistry registry;
    private final Operations operations;

    Bootstrap(ResourceRegistry registry, Operations operations) {
        this.registry = registry;
        this.operations = operations;
    }

    void namespaces() {
        ResourceType type = registry.find("", "v1", "namespaces").orElseThrow();
        for (String name : NAMESPACES) {
            ObjectNode namespace = Json.object();
            Json.metadata(namespace).put("name", name);
            create(type, namespace);
        }
    }

    void definitions(InputStream yaml) {
        ResourceType type = registry.find(ResourceRegistry.DEFINITIONS).orElseThrow();
        for (ObjectNode definition : documents(yaml)) {
            if (!create(type, definition)) {
                replace(type, definition);
            }
        }
    }

    /** Whether it was not there yet. */
    private boolean create(ResourceType type, ObjectNode object) {
        try {
            operations.create(type, null, object, query());
            return true;
        } catch (ApiStatusException e) {
            if (!e.reason().equals("AlreadyExists")) {
                throw e;
            }
            return false;
        }
    }

    private void replace(ResourceType type, ObjectNode definition) {
        String name = definition.path("metadata").path("name").asString("");
        operations.patch(
                type,
                null,
                name,
                Part.MAIN,
                current -> {
                    current.set("spec", definition.path("spec").deepCopy());
                    return current;
                },
                query());
    }

    private static List<ObjectNode> documents(InputStream yaml) {
        List<ObjectNode> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> all =
                new YAMLMapper().readerFor(JsonNode.class).readValues(yaml)) {
            while (all.hasNext()) {
                JsonNode document = all.next();
                if (document instanceof ObjectNode object) {
                    documents.add(object);
                } else if (!document.isNull()) {
                    throw new IllegalArgumentException("no CustomResourceDefinition: " + document);
                }
            }
        }
        return documents;
    }

    private static WriteQuery query() {
        return new WriteQuery(
                "system:apiserver",
                List.of("system:masters"),
                false,
                FieldValidation.STRICT,
                null,
                new ArrayList<>());
    }
}
