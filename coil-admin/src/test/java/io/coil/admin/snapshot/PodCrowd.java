package io.coil.admin.snapshot;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceType;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Thousands of pods with addresses, made and deleted on the server itself. */
final class PodCrowd {
    private static final String NAMESPACE = "default";

    private final ApiServer server;
    private final ResourceType pods;

    PodCrowd(ApiServer server) {
        this.server = server;
        this.pods = server.types().find("", "v1", "pods").orElseThrow();
    }

    /**
     * @param base the first half of their addresses
     * @param bytes of each pod, that nobody needs
     */
    void create(String name, int count, String base, int bytes) {
        for (int i = 0; i < count; i++) {
            ObjectNode pod = JsonNodeFactory.instance.objectNode();
            pod.put("apiVersion", "v1").put("kind", "Pod");
            ObjectNode meta = pod.putObject("metadata");
            meta.put("name", name + "-" + i).put("namespace", NAMESPACE);
            meta.putObject("annotations").put("ballast", "x".repeat(bytes));
            ObjectNode spec = pod.putObject("spec").put("nodeName", "n" + i % 100);
            spec.putArray("containers").addObject().put("name", "main").put("image", "main");
            ObjectNode made = server.operations().create(pods, NAMESPACE, pod, query());
            made.putObject("status")
                    .put("phase", "Running")
                    .put("podIP", "%s.%d.%d".formatted(base, i / 250, 1 + i % 250));
            ObjectNode _ =
                    server.operations()
                            .replace(
                                    pods,
                                    NAMESPACE,
                                    name + "-" + i,
                                    Operations.Part.STATUS,
                                    made,
                                    query());
        }
    }

    private static Operations.WriteQuery query() {
        return new Operations.WriteQuery(
                "tester",
                List.of("system:masters"),
                false,
                Operations.FieldValidation.STRICT,
                "tester",
                new ArrayList<>());
    }

    void delete(String name, int count) {
        for (int i = 0; i < count; i++) {
            server.operations()
                    .delete(
                            pods,
                            NAMESPACE,
                            name + "-" + i,
                            new Operations.DeleteQuery(
                                    "tester",
                                    List.of("system:masters"),
                                    false,
                                    null,
                                    null,
                                    0,
                                    null,
                                    new ArrayList<>()));
        }
    }
}
