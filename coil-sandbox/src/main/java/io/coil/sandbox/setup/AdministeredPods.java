package io.coil.sandbox.setup;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.sandbox.cluster.PodCalls;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/** Scheduler's and kubelet's calls, made as the administrator. */
public final class AdministeredPods implements PodCalls {
    private final ApiEndpoint server;

    public AdministeredPods(ApiEndpoint server) {
        this.server = server;
    }

    @Override
    public void bind(String namespace, String name, String uid, String node) {
        ObjectNode binding = Json.object().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata").put("namespace", namespace).put("name", name).put("uid", uid);
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", node);
        send("POST", path(namespace, name) + "/binding", binding);
    }

    @Override
    public void remove(String namespace, String name, String uid) {
        ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.put("gracePeriodSeconds", 0).putObject("preconditions").put("uid", uid);
        send("DELETE", path(namespace, name), options);
    }

    private static String path(String namespace, String name) {
        return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
    }

    private void send(String method, String path, ObjectNode body) {
        ApiResponse.Whole answer;
        try {
            answer = server.administer(method, path, "application/json", body.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiFailure.Transient(
                    0, ApiFailure.INTERRUPTED, "interrupted", Duration.ZERO, e);
        }
        int code = answer.code();
        if (code >= 300) {
            JsonNode status = Json.MAPPER.readTree(answer.body());
            String reason = status.path("reason").asString("");
            String message = status.path("message").asString("");
            throw code == 404 || code == 409
                    ? new ApiFailure.Stale(code, reason, message)
                    : new ApiFailure.Rejected(code, reason, message);
        }
    }
}
