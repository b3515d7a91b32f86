package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.FieldValidation;
import io.coil.apiserver.lifecycle.Operations.ListQuery;
import io.coil.apiserver.lifecycle.Operations.Propagation;
import io.coil.apiserver.lifecycle.Operations.WatchQuery;
import io.coil.apiserver.lifecycle.Operations.WriteQuery;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Parameters of requests, read as Kubernetes does. */
final class Queries {
    private Queries() {}

    static ListQuery list(ApiRequest request) {
        return new ListQuery(
                request.parameter("labelSelector"),
                request.parameter("fieldSelector"),
                number(request, "limit", 0),
                request.parameter("continue"),
                request.parameter("resourceVersion"),
                request.parameter("resourceVersionMatch"));
    }

    /**
     * @param name watch this object only
     */
    static WatchQuery watch(ApiRequest request, @Nullable String name) {
        return new WatchQuery(
                request.parameter("labelSelector"),
                name == null ? request.parameter("fieldSelector") : "metadata.name=" + name,
                request.parameter("resourceVersion"),
                request.flag("allowWatchBookmarks"),
                request.flag("sendInitialEvents"));
    }

    static WriteQuery write(ApiRequest request, List<String> warnings) {
        String validation = request.parameter("fieldValidation");
        return new WriteQuery(
                request.identity().name(),
                request.identity().groups(),
                dryRun(request.query().getOrDefault("dryRun", List.of())),
                switch (validation == null ? "Warn" : validation) {
                    case "Ignore" -> FieldValidation.IGNORE;
                    case "Warn" -> FieldValidation.WARN;
                    case "Strict" -> FieldValidation.STRICT;
                    default ->
                            throw Statuses.badRequest(
                                    "fieldValidation must be Ignore, Warn or Strict, not "
                                            + validation);
                },
                request.parameter("fieldManager"),
                warnings);
    }

    /** Options in the body (DeleteOptions), or, without a body, in the parameters. */
    static DeleteQuery delete(ApiRequest request, List<String> warnings) {
        boolean inBody = !request.body().isBlank();
        JsonNode options = inBody ? JsonText.object(request) : fromParameters(request);
        JsonNode preconditions = options.path("preconditions");
        JsonNode grace = options.path("gracePeriodSeconds");
        List<String> dryRun =
                inBody && options.has("dryRun")
                        ? Json.texts(options.path("dryRun"))
                        : request.query().getOrDefault("dryRun", List.of());
        return new DeleteQuery(
                request.identity().name(),
                request.identity().groups(),
                dryRun(dryRun),
                Json.text(preconditions, "uid"),
                Json.text(preconditions, "resourceVersion"),
                grace.isIntegralNumber() ? (Integer) grace.asInt() : null,
                propagation(options),
                warnings);
    }

    private static JsonNode fromParameters(ApiRequest request) {
        var options = Json.object();
        if (request.parameter("gracePeriodSeconds") != null) {
            options.put("gracePeriodSeconds", number(request, "gracePeriodSeconds", 0));
        }
        String propagation = request.parameter("propagationPolicy");
        if (propagation != null) {
            options.put("propagationPolicy", propagation);
        }
        return options;
    }

    private static @Nullable Propagation propagation(JsonNode options) {
        String policy = Json.text(options, "propagationPolicy");
        if (policy == null) {
            return options.path("orphanDependents").asBoolean(false) ? Propagation.ORPHAN : null;
        }
        return switch (policy) {
            case "Background" -> Propagation.BACKGROUND;
            case "Foreground" -> Propagation.FOREGROUND;
            case "Orphan" -> Propagation.ORPHAN;
            default ->
                    throw Statuses.badRequest(
                            "propagationPolicy must be Background, Foreground or Orphan, not "
                                    + policy);
        };
    }

    private static boolean dryRun(List<String> values) {
        for (String value : values) {
            if (!value.equals("All") && !value.isEmpty()) {
                throw Statuses.badRequest("dryRun: Unsupported value: \"" + value + "\": All");
            }
        }
        return values.contains("All");
    }

    /** A whole number that is not negative. */
    static int number(ApiRequest request, String name, int fallback) {
        String value = request.parameter(name);
        if (value == null) {
            return fallback;
        }
        if (!value.matches("[0-9]{1,18}")) {
            throw Statuses.badRequest(
                    "parameter " + name + " must be a whole number, not \"" + value + "\"");
        }
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(value));
    }
}
