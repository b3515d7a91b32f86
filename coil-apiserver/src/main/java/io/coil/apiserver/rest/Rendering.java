package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.lifecycle.Operations.WatchEvent;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.table.Tables;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Objects, lists and events in the shape that the client asked for. */
record Rendering(ResourceType type, View view, InstantSource clock) {

    static Rendering of(ApiRequest request, ResourceType type, InstantSource clock) {
        return new Rendering(type, View.of(request), clock);
    }

    ApiResponse object(int code, ObjectNode object, List<String> warnings) {
        JsonNode body =
                switch (view) {
                    case View.Plain ignored -> object;
                    case View.MetadataOnly ignored -> Tables.metadataOnly(object);
                    case View.Table table ->
                            Tables.of(
                                    type,
                                    List.of(object),
                                    version(object),
                                    table.include(),
                                    true,
                                    clock.instant());
                };
        return withWarnings(ApiResponse.json(code, body), warnings);
    }

    ApiResponse page(Page page) {
        ObjectNode metadata = Json.object().put("resourceVersion", page.resourceVersion());
        if (page.continueToken() != null) {
            metadata.put("continue", page.continueToken());
        }
        if (page.remaining() != null) {
            metadata.put("remainingItemCount", page.remaining());
        }
        if (view instanceof View.Table table) {
            return ApiResponse.json(
                    200,
                    Tables.of(
                            type, page.items(), metadata, table.include(), true, clock.instant()));
        }
        boolean partial = view instanceof View.MetadataOnly;
        ObjectNode list =
                partial
                        ? Json.object()
                                .put("kind", "PartialObjectMetadataList")
                                .put("apiVersion", "meta.k8s.io/v1")
                        : Json.object()
                                .put("kind", type.kind() + "List")
                                .put("apiVersion", type.apiVersion());
        list.set("metadata", metadata);
        ArrayNode items = list.putArray("items");
        page.items().forEach(item -> items.add(partial ? Tables.metadataOnly(item) : item));
        return ApiResponse.json(200, list);
    }

    /** Renders the events of one watch; only its first Table describes the columns. */
    UnaryOperator<WatchEvent> events() {
        return switch (view) {
            case View.Plain ignored -> event -> event;
            case View.MetadataOnly ignored ->
                    event -> new WatchEvent(event.type(), Tables.metadataOnly(event.object()));
            case View.Table table -> new TableEvents(table.include());
        };
    }

    private final class TableEvents implements UnaryOperator<WatchEvent> {
        private final Tables.Include include;
        private boolean header = true;

        TableEvents(Tables.Include include) {
            this.include = include;
        }

        @Override
        public WatchEvent apply(WatchEvent event) {
            boolean bookmark = event.type().equals("BOOKMARK");
            ObjectNode table =
                    Tables.of(
                            type,
                            bookmark ? List.of() : List.of(event.object()),
                            version(event.object()),
                            include,
                            header,
                            clock.instant());
            header = false;
            return new WatchEvent(event.type(), table);
        }
    }

    private static ObjectNode version(JsonNode object) {
        return Json.object()
                .put(
                        "resourceVersion",
                        object.path("metadata").path("resourceVersion").asString(""));
    }

    private static ApiResponse withWarnings(ApiResponse.Whole response, List<String> warnings) {
        if (warnings.isEmpty()) {
            return response;
        }
        String header =
                warnings.stream()
                        .map(text -> "299 - \"" + text.replaceAll("[\"\\\\\\p{Cntrl}]", "'") + "\"")
                        .collect(Collectors.joining(", "));
        return new ApiResponse.Whole(
                response.code(),
                Map.of("Warning", header),
                response.contentType(),
                response.body());
    }
}
