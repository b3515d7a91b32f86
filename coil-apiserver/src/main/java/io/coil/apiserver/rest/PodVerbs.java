package io.coil.apiserver.rest;

import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.http.JsonText;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What only pods have: logs, binding to a node, eviction. */
final class PodVerbs {
    private final Operations operations;
    private final LogSource logs;

    PodVerbs(Backend backend) {
        this.operations = backend.operations();
        this.logs = backend.logs();
    }

    ApiResponse log(ApiRequest request, ResourceType type, Target target) {
        String pod = ObjectVerbs.name(target);
        ObjectNode object = operations.get(type, target.namespace(), pod);
        LogSource.LogQuery query =
                new LogSource.LogQuery(
                        target.namespace() == null ? "" : target.namespace(),
                        pod,
                        container(object, pod, request.parameter("container")),
                        optional(request, "tailLines"),
                        optional(request, "sinceSeconds"),
                        request.flag("follow"),
                        request.flag("timestamps"),
                        request.flag("previous"));
        return new ApiResponse.Streaming(Map.of(), "text/plain", logs.open(query));
    }

    private static String container(ObjectNode object, String pod, @Nullable String wanted) {
        List<String> names = new ArrayList<>();
        for (String field : List.of("containers", "initContainers")) {
            object.path("spec")
                    .path(field)
                    .forEach(container -> names.add(container.path("name").asString("")));
        }
        if (wanted == null) {
            if (names.size() == 1) {
                return names.getFirst();
            }
            throw Statuses.badRequest(
                    "a container name must be specified for pod %s, choose one of: [%s]"
                            .formatted(pod, String.join(" ", names)));
        }
        if (!names.contains(wanted)) {
            throw Statuses.badRequest(
                    "container %s is not valid for pod %s".formatted(wanted, pod));
        }
        return wanted;
    }

    private static @Nullable Integer optional(ApiRequest request, String parameter) {
        return request.parameter(parameter) == null
                ? null
                : (Integer) Queries.number(request, parameter, 0);
    }

    ApiResponse bind(ApiRequest request, ResourceType type, Target target) {
        String pod = ObjectVerbs.name(target);
        JsonNode binding = JsonText.object(request);
        String node = binding.path("target").path("name").asString("");
        if (node.isEmpty()) {
            throw new ApiStatusException(
                    422,
                    "Invalid",
                    "Binding \"%s\" is invalid: target.name: Required value".formatted(pod));
        }
        operations.patch(
                type,
                target.namespace(),
                pod,
                Part.MAIN,
                object -> bound(object, binding, node),
                Queries.write(request, new ArrayList<>()));
        return ApiResponse.json(201, Statuses.success(201));
    }

    private static ObjectNode bound(ObjectNode pod, JsonNode binding, String node) {
        String name = pod.path("metadata").path("name").asString("");
        String current = pod.path("spec").path("nodeName").asString("");
        if (!current.isEmpty()) {
            throw new ApiStatusException(
                    409,
                    "Conflict",
                    ("Operation cannot be fulfilled on pods/binding \"%s\": pod %s is already"
                                    + " assigned to node \"%s\"")
                            .formatted(name, name, current));
        }
        String wanted = binding.path("metadata").path("uid").asString("");
        String uid = pod.path("metadata").path("uid").asString("");
        if (!wanted.isEmpty() && !wanted.equals(uid)) {
            throw new ApiStatusException(
                    409,
                    "Conflict",
                    ("Operation cannot be fulfilled on pods \"%s\": Precondition failed: UID in"
                                    + " precondition: %s, UID in object meta: %s")
                            .formatted(name, wanted, uid));
        }
        Json.child(pod, "spec").put("nodeName", node);
        return pod;
    }

    ApiResponse evict(ApiRequest request, ResourceType type, Target target) {
        JsonNode eviction = JsonText.object(request);
        JsonNode options = eviction.path("deleteOptions");
        ApiRequest deletion =
                new ApiRequest(
                        "DELETE",
                        request.path(),
                        request.query(),
                        Map.of("content-type", "application/json"),
                        options.isObject() ? JsonText.write(options) : "",
                        request.identity());
        operations.delete(
                type,
                target.namespace(),
                ObjectVerbs.name(target),
                Queries.delete(deletion, new ArrayList<>()));
        return ApiResponse.json(201, Statuses.success(201));
    }
}
