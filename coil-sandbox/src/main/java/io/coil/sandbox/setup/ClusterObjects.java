package io.coil.sandbox.setup;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * What a cluster with Coil has besides its pods: roles, workloads, webhooks, the pool {@code
 * default}.
 */
public final class ClusterObjects {
    private static final String NAMESPACE = "kube-system";

    private final ApiServer server;

    public ClusterObjects(ApiServer server) {
        this.server = server;
    }

    /**
     * Makes what is not there. What somebody has changed stays so, roles and webhooks aside: those
     * belong to the version that runs.
     */
    public void apply(@Nullable String webhookAuthority) {
        for (String program : List.of("controller", "agent", "admin")) {
            Manifests.readChart("chart/" + program + "/rbac.yaml", NAMESPACE).forEach(this::put);
        }
        Manifests.read("cluster/workloads.yaml").forEach(this::create);
        if (webhookAuthority != null) {
            for (ObjectNode webhook : Manifests.read("cluster/webhooks.yaml")) {
                for (JsonNode hook : webhook.path("webhooks")) {
                    ((ObjectNode) hook.path("clientConfig")).put("caBundle", webhookAuthority);
                }
                put(webhook);
            }
        }
    }

    /** The pool that is there from the start; it needs the controllers' admission. */
    public void createDefaultPool() {
        Manifests.read("cluster/pools.yaml").forEach(this::create);
    }

    /** Pods that come and go, so that the pages show something. */
    public void createDemo() {
        Manifests.read("cluster/demo.yaml").forEach(this::create);
    }

    private void put(ObjectNode object) {
        if (create(object)) {
            return;
        }
        ResourceType type = type(object);
        String namespace = namespace(type, object);
        String name = object.path("metadata").path("name").asString();
        ObjectNode present = server.operations().get(type, namespace, name);
        ((ObjectNode) object.path("metadata"))
                .put(
                        "resourceVersion",
                        present.path("metadata").path("resourceVersion").asString());
        server.operations().replace(type, namespace, name, Operations.Part.MAIN, object, query());
    }

    /** False if an object of that name was there. */
    private boolean create(ObjectNode object) {
        ResourceType type = type(object);
        try {
            server.operations().create(type, namespace(type, object), object, query());
            return true;
        } catch (ApiStatusException e) {
            if (e.reason().equals("AlreadyExists")) {
                return false;
            }
            throw e;
        }
    }

    private ResourceType type(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asString();
        String kind = object.path("kind").asString();
        return server.types().types().stream()
                .filter(t -> t.apiVersion().equals(apiVersion) && t.kind().equals(kind))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("not served: " + apiVersion + " " + kind));
    }

    private static @Nullable String namespace(ResourceType type, ObjectNode object) {
        return type.namespaced()
                ? object.path("metadata").path("namespace").asString("default")
                : null;
    }

    private static Operations.WriteQuery query() {
        return new Operations.WriteQuery(
                "sandbox",
                List.of("system:masters"),
                false,
                Operations.FieldValidation.STRICT,
                "sandbox",
                new ArrayList<>());
    }
}
