package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceType;
import io.coil.apiserver.store.StoredObject;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Changes that no writer may make. */
final class UpdateRules {
    private UpdateRules() {}

    static void check(Update.Target target, StoredObject current, ObjectNode next) {
        ResourceType type = target.type();
        if (current.deleting()) {
            List<String> before = current.finalizers();
            List<String> added =
                    Json.texts(next.path("metadata").path("finalizers")).stream()
                            .filter(f -> !before.contains(f))
                            .toList();
            if (!added.isEmpty()) {
                throw ApiErrors.invalid(
                        type,
                        target.name(),
                        "metadata.finalizers",
                        "Forbidden: no new finalizers can be added if the object is being deleted,"
                                + " found new finalizers []string{\""
                                + String.join("\", \"", added)
                                + "\"}");
            }
        }
        if (type.custom()) {
            return;
        }
        switch (type.kind()) {
            case "Deployment", "ReplicaSet", "DaemonSet" ->
                    immutable(target, current, next, "spec.selector");
            case "Pod" -> pod(target, current, next);
            case "RoleBinding", "ClusterRoleBinding" -> {
                if (!Json.same(current.tree().path("roleRef"), next.path("roleRef"))) {
                    throw ApiErrors.invalid(
                            type, target.name(), "roleRef", "Invalid value: cannot change roleRef");
                }
            }
            default -> {}
        }
    }

    /** A pod is scheduled once, and for the rest only these fields of its spec may change. */
    private static void pod(Update.Target target, StoredObject current, ObjectNode next) {
        ObjectNode before = fixed(current.tree().path("spec"));
        ObjectNode after = fixed(next.path("spec"));
        if (!before.has("nodeName")) {
            after.remove("nodeName");
        }
        if (!Json.same(before, after)) {
            throw ApiErrors.invalid(
                    target.type(),
                    target.name(),
                    "spec",
                    "Forbidden: pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,"
                            + "`spec.activeDeadlineSeconds`,`spec.tolerations`,"
                            + "`spec.terminationGracePeriodSeconds`");
        }
    }

    private static ObjectNode fixed(JsonNode spec) {
        ObjectNode fixed = spec instanceof ObjectNode object ? object.deepCopy() : Json.object();
        fixed.remove(
                List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"));
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : fixed.path(list)) {
                if (container instanceof ObjectNode object) {
                    object.remove("image");
                }
            }
        }
        return fixed;
    }

    private static void immutable(
            Update.Target target, StoredObject current, JsonNode next, String field) {
        JsonNode before = current.tree();
        JsonNode after = next;
        for (String step : field.split("\\.", -1)) {
            before = before.path(step);
            after = after.path(step);
        }
        if (!Json.same(before, after)) {
            throw ApiErrors.invalid(
                    target.type(),
                    target.name(),
                    field,
                    "Invalid value: " + after + ": field is immutable");
        }
    }
}
