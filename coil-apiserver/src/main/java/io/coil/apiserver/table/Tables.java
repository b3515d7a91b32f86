package io.coil.apiserver.table;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Makes the Tables (meta.k8s.io/v1) that kubectl prints. */
public final class Tables {
    /** What a row carries of its object. */
    public enum Include {
        NONE,
        METADATA,
        OBJECT
    }

    private Tables() {}

    /**
     * @param metadata of the list (resourceVersion, continue), or empty
     * @param header whether the columns are described (in a watch only the first Table does)
     */
    public static ObjectNode of(
            ResourceType type,
            Collection<? extends JsonNode> objects,
            ObjectNode metadata,
            Include include,
            boolean header,
            Instant now) {
        List<TableColumn> columns = columns(type);
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.set("metadata", metadata);
        ArrayNode definitions = table.putArray("columnDefinitions");
        if (header) {
            columns.forEach(column -> definitions.add(column.definition()));
        }
        ArrayNode rows = table.putArray("rows");
        for (JsonNode object : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            columns.forEach(column -> cells.add(column.cell().of(object, now)));
            switch (include) {
                case NONE -> {}
                case OBJECT -> row.set("object", object);
                case METADATA -> row.set("object", metadataOnly(object));
            }
        }
        return table;
    }

    /** The object's metadata as a PartialObjectMetadata. */
    public static ObjectNode metadataOnly(JsonNode object) {
        ObjectNode partial =
                Json.object()
                        .put("kind", "PartialObjectMetadata")
                        .put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    private static List<TableColumn> columns(ResourceType type) {
        List<TableColumn> known =
                type.custom() ? List.of() : BuiltInColumns.of(type.group(), type.plural());
        if (!known.isEmpty()) {
            return known;
        }
        List<TableColumn> columns = new ArrayList<>();
        columns.add(TableColumn.objectName());
        if (type.columns().isEmpty()) {
            columns.add(TableColumn.age());
        }
        for (ResourceType.Column column : type.columns()) {
            columns.add(
                    TableColumn.ofPath(
                            column.name(),
                            column.type(),
                            column.format(),
                            column.description(),
                            column.priority(),
                            column.jsonPath()));
        }
        return columns;
    }
}
