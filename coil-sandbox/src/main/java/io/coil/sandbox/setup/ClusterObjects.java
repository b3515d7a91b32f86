package io.coil.sandbox.setup;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.List;

/**
 * What a cluster with Coil has besides its pods: roles, workloads, webhooks, the pool {@code
 * default}.
 */
public final class ClusterObjects {
    private static final String NAMESPACE = "kube-system";

    private final ApiEndpoint server;

    public ClusterObjects(ApiEndpoint server) {
        this.server = server;
    }

    /**
     * Makes what is not there. What somebody has changed stays so, roles and webhooks aside: those
     * belong to the version that runs.
     *
     * @param webhooks where the server finds them; null: it knows where their Service is
     */
    public void apply(String webhookAuthority, @Nullable URI webhooks) throws InterruptedException {
        for (String program : List.of("controller", "agent", "admin")) {
            for (ObjectNode right :
                    Manifests.readChart("chart/" + program + "/rbac.yaml", NAMESPACE)) {
                put(right);
            }
        }
        create("cluster/workloads.yaml");
        for (ObjectNode webhook : Manifests.read("cluster/webhooks.yaml")) {
            for (JsonNode hook : webhook.path("webhooks")) {
                direct((ObjectNode) hook.path("clientConfig"), webhookAuthority, webhooks);
            }
            put(webhook);
        }
    }

    private static void direct(ObjectNode client, String authority, @Nullable URI webhooks) {
        client.put("caBundle", authority);
        if (webhooks != null) {
            String path = client.path("service").path("path").asString();
            client.remove("service");
            client.put("url", webhooks.resolve(path).toString());
        }
    }

    /** The pool that is there from the start; it needs the controllers' admission. */
    public void createDefaultPool() throws InterruptedException {
        create("cluster/pools.yaml");
    }

    /** Pods that come and go, so that the pages show something. */
    public void createDemo() throws InterruptedException {
        create("cluster/demo.yaml");
    }

    private void create(String manifests) throws InterruptedException {
        for (ObjectNode object : Manifests.read(manifests)) {
            create(object);
        }
    }

    private void put(ObjectNode object) throws InterruptedException {
        if (create(object)) {
            return;
        }
        String path = collection(object) + "/" + object.path("metadata").path("name").asString();
        ApiResponse.Whole read = server.administer("GET", path, "", "");
        JsonNode present = Json.MAPPER.readTree(read.body()).path("metadata");
        ((ObjectNode) object.path("metadata"))
                .put("resourceVersion", present.path("resourceVersion").asString());
        send("PUT", path + "?fieldValidation=Strict", object, 200);
    }

    /** False if an object of that name was there. */
    private boolean create(ObjectNode object) throws InterruptedException {
        return send("POST", collection(object) + "?fieldValidation=Strict", object, 201);
    }

    private boolean send(String method, String path, ObjectNode object, int success)
            throws InterruptedException {
        ApiResponse.Whole answer =
                server.administer(method, path, "application/json", object.toString());
        boolean there =
                answer.code() == 409
                        && Json.MAPPER
                                .readTree(answer.body())
                                .path("reason")
                                .asString("")
                                .equals("AlreadyExists");
        if (answer.code() != success && !there) {
            throw new IllegalStateException(method + " " + path + ": " + answer.body());
        }
        return !there;
    }

    /** The path of an object's collection, as the server's discovery tells it. */
    private String collection(ObjectNode object) throws InterruptedException {
        String apiVersion = object.path("apiVersion").asString();
        String root = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
        String kind = object.path("kind").asString();
        ApiResponse.Whole discovery = server.administer("GET", root, "", "");
        for (JsonNode resource : Json.MAPPER.readTree(discovery.body()).path("resources")) {
            String plural = resource.path("name").asString();
            if (resource.path("kind").asString().equals(kind) && !plural.contains("/")) {
                String namespace = object.path("metadata").path("namespace").asString("default");
                return resource.path("namespaced").asBoolean()
                        ? root + "/namespaces/" + namespace + "/" + plural
                        : root + "/" + plural;
            }
        }
        throw new IllegalStateException("not served: " + apiVersion + " " + kind);
    }
}
