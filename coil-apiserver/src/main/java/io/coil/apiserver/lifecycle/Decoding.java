package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException.Cause;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.schema.StructuralSchema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** From what a client sent to an object of a type: kind, defaults, unknown fields, validity. */
final class Decoding {
    private final ResourceRegistry registry;

    Decoding(ResourceRegistry registry) {
        this.registry = registry;
    }

    /** Sets defaults and drops what is unknown, in place; refuses the unknown when asked to. */
    void decode(ResourceType type, ObjectNode object, WriteQuery query, boolean patched) {
        kind(type, object);
        if (!type.custom()) {
            dropNulls(object);
        }
        if (Kinds.isDefinition(type) && object.findValue("x-kubernetes-validations") != null) {
            query.warnings().add("x-kubernetes-validations are kept, but not evaluated here");
        }
        List<String> unknown = shape(type, object);
        if (unknown.isEmpty() || query.fieldValidation() == FieldValidation.IGNORE) {
            return;
        }
        List<String> sentences = unknown.stream().map(f -> "unknown field \"" + f + "\"").toList();
        if (query.fieldValidation() == FieldValidation.WARN) {
            query.warnings().addAll(sentences);
            return;
        }
        String strict =
                "strict decoding error: " + sentences.stream().collect(Collectors.joining(", "));
        throw ApiErrors.badRequest(
                patched
                        ? strict
                        : "%s in version \"%s\" cannot be handled as a %s: %s"
                                .formatted(type.kind(), type.version(), type.kind(), strict));
    }

    /**
     * Defaults and pruning alone, for an object that admission has changed. An empty list in the
     * metadata is none: webhooks and clients do not see it.
     */
    List<String> shape(ResourceType type, ObjectNode object) {
        List<String> unknown = registry.schemaOf(type).shape(object);
        ObjectNode metadata = Json.metadata(object);
        metadata.remove(List.of("managedFields", "selfLink"));
        metadata.removeIf(field -> field.isContainer() && field.isEmpty());
        return unknown;
    }

    /** Go programs write null for what they did not set. */
    private static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        node.forEach(Decoding::dropNulls);
    }

    private static void kind(ResourceType type, ObjectNode object) {
        @Nullable String apiVersion = Json.text(object, "apiVersion");
        @Nullable String kind = Json.text(object, "kind");
        if (apiVersion != null && !apiVersion.equals(type.apiVersion())) {
            throw ApiErrors.badRequest(
                    "the API version in the data (%s) does not match the expected API version (%s)"
                            .formatted(apiVersion, type.apiVersion()));
        }
        if (kind != null && !kind.equals(type.kind())) {
            throw ApiErrors.badRequest(
                    "the kind in the data (%s) does not match the expected kind (%s)"
                            .formatted(kind, type.kind()));
        }
        object.put("apiVersion", type.apiVersion());
        object.put("kind", type.kind());
    }

    /** Refuses an object that its schema, or the rules for metadata, do not allow. */
    void validate(ResourceType type, String name, ObjectNode object, @Nullable ObjectNode old) {
        List<Cause> causes = new ArrayList<>(MetadataRules.check(type, object));
        StructuralSchema schema = registry.schemaOf(type);
        schema.validate(object, old)
                .forEach(v -> causes.add(new Cause(v.field(), v.reason(), v.message())));
        if (causes.isEmpty()) {
            causes.addAll(KindRules.check(registry, type, object));
        }
        if (!causes.isEmpty()) {
            throw ApiErrors.invalid(type, name, List.copyOf(causes));
        }
    }
}
