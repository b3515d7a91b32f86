package io.coil.sandbox.setup;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceType;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.sandbox.cluster.PodCalls;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Scheduler's and kubelet's calls, made in this process. */
public final class InProcessPods implements PodCalls {
    private final Operations operations;
    private final ResourceType pods;

    public InProcessPods(ApiServer server) {
        this.operations = server.operations();
        this.pods = server.types().find("", "v1", "pods").orElseThrow();
    }

    @Override
    public void bind(String namespace, String name, String uid, String node) {
        UnaryOperator<ObjectNode> bound =
                pod -> {
                    require(pod, uid);
                    ((ObjectNode) pod.path("spec")).put("nodeName", node);
                    return pod;
                };
        translated(
                () ->
                        operations.patch(
                                pods,
                                namespace,
                                name,
                                Operations.Part.MAIN,
                                bound,
                                new Operations.WriteQuery(
                                        "system:kube-scheduler",
                                        List.of("system:masters"),
                                        false,
                                        Operations.FieldValidation.IGNORE,
                                        null,
                                        new ArrayList<>())));
    }

    private static void require(ObjectNode pod, String uid) {
        if (!pod.path("metadata").path("uid").asString("").equals(uid)) {
            throw new ApiStatusException(409, "Conflict", "the pod was replaced by another");
        }
        if (!pod.path("spec").path("nodeName").asString("").isEmpty()) {
            throw new ApiStatusException(409, "Conflict", "the pod has a node already");
        }
    }

    @Override
    public void remove(String namespace, String name, String uid) {
        translated(
                () ->
                        operations.delete(
                                pods,
                                namespace,
                                name,
                                new Operations.DeleteQuery(
                                        "system:node",
                                        List.of("system:masters"),
                                        false,
                                        uid,
                                        null,
                                        0,
                                        null,
                                        new ArrayList<>())));
    }

    private static void translated(Runnable call) {
        try {
            call.run();
        } catch (ApiStatusException e) {
            String message = String.valueOf(e.getMessage());
            throw e.code() == 404 || e.code() == 409
                    ? new ApiFailure.Stale(e.code(), e.reason(), message)
                    : new ApiFailure.Rejected(e.code(), e.reason(), message);
        }
    }
}
