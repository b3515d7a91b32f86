package io.coil.apiserver.schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pruning and defaulting: what is done to an object before it is judged. */
final class Shaping {
    /** Fields of ObjectMeta; those that are not known in it are dropped in every kind. */
    private static final Set<String> METADATA =
            Set.of(
                    "name",
                    "generateName",
                    "namespace",
                    "selfLink",
                    "uid",
                    "resourceVersion",
                    "generation",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "labels",
                    "annotations",
                    "ownerReferences",
                    "finalizers",
                    "managedFields");

    private final List<String> unknown = new ArrayList<>();

    private Shaping() {}

    static List<String> shape(StructuralSchema schema, ObjectNode object) {
        Shaping shaping = new Shaping();
        shaping.object(schema, object, "", true);
        return shaping.unknown;
    }

    private void object(StructuralSchema schema, ObjectNode object, String path, boolean typed) {
        prune(schema, object, path, typed);
        setDefaults(schema, object);
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (typed && field.getKey().equals("metadata")) {
                pruneMetadata(field.getValue(), below);
                continue;
            }
            @Nullable StructuralSchema inner = schema.properties.get(field.getKey());
            value(inner == null ? schema.additional : inner, field.getValue(), below);
        }
    }

    private void value(@Nullable StructuralSchema schema, JsonNode value, String path) {
        if (schema == null) {
            return;
        }
        if (value instanceof ObjectNode object) {
            object(schema, object, path, schema.embedded);
        } else if (value instanceof ArrayNode array && schema.items != null) {
            for (int i = 0; i < array.size(); i++) {
                value(schema.items, array.get(i), path + "[" + i + "]");
            }
        }
    }

    private void prune(StructuralSchema schema, ObjectNode object, String path, boolean typed) {
        if (schema.keepsUnknown || schema.additional != null) {
            return;
        }
        for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
                fields.hasNext(); ) {
            String name = fields.next().getKey();
            boolean known = schema.properties.containsKey(name) || (typed && ofEveryObject(name));
            if (!known) {
                unknown.add(path.isEmpty() ? name : path + "." + name);
                fields.remove();
            }
        }
    }

    private static boolean ofEveryObject(String name) {
        return name.equals("apiVersion") || name.equals("kind") || name.equals("metadata");
    }

    private void pruneMetadata(JsonNode metadata, String path) {
        if (metadata instanceof ObjectNode object) {
            for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
                    fields.hasNext(); ) {
                String name = fields.next().getKey();
                if (!METADATA.contains(name)) {
                    unknown.add(path + "." + name);
                    fields.remove();
                }
            }
        }
    }

    /** A null where none may be counts as absent if there is a default. */
    private static void setDefaults(StructuralSchema schema, ObjectNode object) {
        for (Map.Entry<String, StructuralSchema> property : schema.properties.entrySet()) {
            @Nullable JsonNode fallback = property.getValue().fallback;
            if (fallback == null) {
                continue;
            }
            @Nullable JsonNode present = object.get(property.getKey());
            if (present == null || (present.isNull() && !property.getValue().nullable)) {
                object.set(property.getKey(), fallback.deepCopy());
            }
        }
    }
}
