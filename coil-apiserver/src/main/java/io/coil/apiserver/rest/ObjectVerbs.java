package io.coil.apiserver.rest;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.fault.Scope.Call;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.Deletion;
import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Page;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.Operations.Watch;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** The verbs of objects and their status. */
final class ObjectVerbs {
    /** How long a watch is served whose client names no time. */
    private static final int WATCH_SECONDS = 1800;

    private final Operations operations;
    private final Faults faults;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final VersionTimes versions;

    ObjectVerbs(Backend backend) {
        this.operations = backend.operations();
        this.faults = backend.faults();
        this.clock = backend.clock();
        this.nanos = backend.nanos();
        this.versions = backend.versions();
    }

    ApiResponse get(ApiRequest request, ResourceType type, Target target) {
        Rendering rendering = Rendering.of(request, type, clock);
        ObjectNode object = operations.get(type, target.namespace(), name(target));
        return rendering.object(200, object, List.of());
    }

    ApiResponse list(ApiRequest request, ResourceType type, Target target, List<Effect> effects) {
        Rendering rendering = Rendering.of(request, type, clock);
        ListQuery query = Queries.list(request);
        Page page = operations.list(type, target.namespace(), query);
        long current = Long.parseLong(page.resourceVersion());
        long shown = query.continueToken() == null ? staleVersion(effects, current) : current;
        return rendering.page(
                shown == current
                        ? page
                        : operations.list(type, target.namespace(), at(shown, query)));
    }

    /** The version that faults make a list show. */
    private long staleVersion(List<Effect> effects, long current) {
        long shown = current;
        for (Effect effect : effects) {
            if (effect instanceof Effect.StaleList(long by)) {
                shown = Math.min(shown, Math.max(1, current - by));
            } else if (effect instanceof Effect.StaleListBySpan(Duration span)) {
                shown = Math.min(shown, versions.before(span));
            } else if (effect instanceof Effect.StaleListAsOf(long version)) {
                shown = Math.min(shown, version);
            }
        }
        return shown;
    }

    private static ListQuery at(long version, ListQuery query) {
        return new ListQuery(
                query.labelSelector(),
                query.fieldSelector(),
                query.limit(),
                null,
                Long.toString(version),
                "Exact");
    }

    ApiResponse watch(ApiRequest request, ResourceType type, Target target, Call call) {
        Rendering rendering = Rendering.of(request, type, clock);
        int seconds = Queries.number(request, "timeoutSeconds", WATCH_SECONDS);
        Watch watch =
                operations.watch(type, target.namespace(), Queries.watch(request, target.name()));
        return new ApiResponse.Streaming(
                Map.of(),
                "application/json",
                new WatchStream(
                        watch,
                        rendering.events(),
                        faults,
                        call,
                        nanos,
                        bearsEmptyLines(request),
                        Duration.ofSeconds(seconds == 0 ? WATCH_SECONDS : seconds)));
    }

    /** kubectl does; the Java client takes an empty line for an empty event. */
    private static boolean bearsEmptyLines(ApiRequest request) {
        return request.userAgent().startsWith("kubectl") && !request.flag("allowWatchBookmarks");
    }

    ApiResponse create(ApiRequest request, ResourceType type, Target target) {
        Rendering rendering = Rendering.of(request, type, clock);
        List<String> warnings = new ArrayList<>();
        ObjectNode created =
                operations.create(
                        type,
                        target.namespace(),
                        Bodies.object(request, type, target),
                        Queries.write(request, warnings));
        return rendering.object(201, created, warnings);
    }

    ApiResponse replace(ApiRequest request, ResourceType type, Target target, Part part) {
        Rendering rendering = Rendering.of(request, type, clock);
        List<String> warnings = new ArrayList<>();
        ObjectNode replaced =
                operations.replace(
                        type,
                        target.namespace(),
                        name(target),
                        part,
                        Bodies.object(request, type, target),
                        Queries.write(request, warnings));
        return rendering.object(200, replaced, warnings);
    }

    ApiResponse patch(ApiRequest request, ResourceType type, Target target, Part part) {
        Rendering rendering = Rendering.of(request, type, clock);
        List<String> warnings = new ArrayList<>();
        ObjectNode patched =
                operations.patch(
                        type,
                        target.namespace(),
                        name(target),
                        part,
                        Patches.of(request, type),
                        Queries.write(request, warnings));
        return rendering.object(200, patched, warnings);
    }

    ApiResponse delete(ApiRequest request, ResourceType type, Target target) {
        List<String> warnings = new ArrayList<>();
        Deletion deletion =
                operations.delete(
                        type, target.namespace(), name(target), Queries.delete(request, warnings));
        return ApiResponse.json(
                200,
                deletion.gone() ? Statuses.deleted(target, deletion.object()) : deletion.object());
    }

    ApiResponse deleteCollection(ApiRequest request, ResourceType type, Target target) {
        List<ObjectNode> deleted =
                operations.deleteCollection(
                        type,
                        target.namespace(),
                        Queries.list(request),
                        Queries.delete(request, new ArrayList<>()));
        ObjectNode list =
                Json.object()
                        .put("kind", type.kind() + "List")
                        .put("apiVersion", type.apiVersion());
        list.putObject("metadata");
        list.putArray("items").addAll(deleted);
        return ApiResponse.json(200, list);
    }

    static String name(Target target) {
        String name = target.name();
        if (name == null) {
            throw Statuses.methodNotAllowed();
        }
        return name;
    }
}
