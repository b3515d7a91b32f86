package io.coil.apiserver.lifecycle;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the server itself sets in objects of some built-in kinds, beyond the defaults of their
 * schemas.
 */
final class NewObjects {
    static final String NAMESPACE_FINALIZER = "kubernetes";
    static final String DEFINITION_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private NewObjects() {}

    /** For an object that is created. */
    static void prepare(ResourceType type, ObjectNode object, String now) {
        if (!Kinds.keepsStatusOfNewObject(type)) {
            object.remove("status");
        }
        if (type.custom()) {
            return;
        }
        switch (type.kind()) {
            case "Namespace" -> namespace(object);
            case "Pod" -> pod(object);
            case "Secret" -> secret(object);
            case "CustomResourceDefinition" -> definition(object, now);
            case "Deployment", "ReplicaSet", "DaemonSet" ->
                    object.set("status", emptyStatus(type.kind()));
            default -> {}
        }
    }

    /** For an object that is replaced. */
    static void refresh(ResourceType type, ObjectNode object, String now) {
        if (type.custom()) {
            return;
        }
        switch (type.kind()) {
            case "Namespace" -> nameLabel(object);
            case "Secret" -> secret(object);
            case "CustomResourceDefinition" -> definition(object, now);
            default -> {}
        }
    }

    private static void nameLabel(ObjectNode namespace) {
        String name = namespace.path("metadata").path("name").asString();
        Json.child(Json.metadata(namespace), "labels").put("kubernetes.io/metadata.name", name);
    }

    private static void namespace(ObjectNode namespace) {
        nameLabel(namespace);
        Json.child(namespace, "spec").set("finalizers", Json.array(List.of(NAMESPACE_FINALIZER)));
        Json.child(namespace, "status").put("phase", "Active");
    }

    private static void pod(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec");
        if (spec.path("serviceAccountName").asString("").isEmpty()) {
            spec.put("serviceAccountName", "default");
        }
        ObjectNode status = Json.child(pod, "status");
        status.put("phase", "Pending");
        boolean asks = false;
        for (JsonNode container : pod.path("spec").path("containers")) {
            asks |= !container.path("resources").isEmpty();
        }
        status.put("qosClass", asks ? "Burstable" : "BestEffort");
    }

    private static void secret(ObjectNode secret) {
        JsonNode plain = secret.path("stringData");
        if (!plain.isObject()) {
            return;
        }
        ObjectNode data = Json.child(secret, "data");
        for (Map.Entry<String, JsonNode> entry : plain.properties()) {
            byte[] bytes = entry.getValue().asString("").getBytes(StandardCharsets.UTF_8);
            data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
        secret.remove("stringData");
    }

    /** A definition is established at once: its types are served with the same write. */
    private static void definition(ObjectNode definition, String now) {
        ObjectNode names = Json.child(Json.child(definition, "spec"), "names");
        String kind = names.path("kind").asString("");
        if (!names.has("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.has("listKind")) {
            names.put("listKind", kind + "List");
        }
        ObjectNode metadata = Json.metadata(definition);
        List<String> finalizers = Json.texts(metadata.path("finalizers"));
        if (!metadata.has("deletionTimestamp") && !finalizers.contains(DEFINITION_FINALIZER)) {
            metadata.withArray("finalizers").add(DEFINITION_FINALIZER);
        }
        ObjectNode status = Json.child(definition, "status");
        status.set("acceptedNames", names.deepCopy());
        ArrayNode stored = status.arrayNode();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("storage").asBoolean(false)) {
                stored.add(version.path("name").asString(""));
            }
        }
        status.set("storedVersions", stored);
        if (status.path("conditions").isEmpty()) {
            ArrayNode conditions = status.arrayNode();
            conditions.add(condition("NamesAccepted", "NoConflicts", "no conflicts found", now));
            conditions.add(
                    condition(
                            "Established",
                            "InitialNamesAccepted",
                            "the initial names have been accepted",
                            now));
            status.set("conditions", conditions);
        }
    }

    private static ObjectNode condition(String type, String reason, String message, String now) {
        return Json.object()
                .put("lastTransitionTime", now)
                .put("message", message)
                .put("reason", reason)
                .put("status", "True")
                .put("type", type);
    }

    /** The counters that Kubernetes always writes, even when they are 0. */
    private static ObjectNode emptyStatus(String kind) {
        return switch (kind) {
            case "ReplicaSet" -> Json.object().put("replicas", 0);
            case "DaemonSet" ->
                    Json.object()
                            .put("currentNumberScheduled", 0)
                            .put("desiredNumberScheduled", 0)
                            .put("numberMisscheduled", 0)
                            .put("numberReady", 0);
            default -> Json.object();
        };
    }
}
