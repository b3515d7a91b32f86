package io.coil.controller;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.ApiServer;
import io.coil.apiserver.lifecycle.Operations;
import io.coil.apiserver.resource.ResourceType;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Thousands of objects, made and deleted on the server itself: no connection has a part in it. */
final class Masses {
    private final ApiServer server;
    private final ResourceType pods;
    private final ResourceType blocks;

    Masses(ApiEndpoint inJvm) {
        this.server = (ApiServer) inJvm;
        this.pods = server.types().find("", "v1", "pods").orElseThrow();
        this.blocks = server.types().find("coil.cybozu.com", "v2", "addressblocks").orElseThrow();
    }

    /** Blocks of one address each, from 10.8.0.0 on, of so many nodes that do not exist. */
    void createOrphans(String pool, int count, int nodes) {
        createBlocks(pool, count, "10.8", i -> "gone" + i % nodes);
    }

    /** Blocks of one address each. */
    void createBlocks(String pool, int count, String base, IntFunction<String> node) {
        for (int i = 0; i < count; i++) {
            ObjectNode block = JsonNodeFactory.instance.objectNode();
            block.put("apiVersion", Names.COIL_API).put("kind", "AddressBlock").put("index", i);
            block.put("ipv4", "%s.%d.%d/32".formatted(base, i / 256, i % 256));
            ObjectNode meta = block.putObject("metadata").put("name", pool + "-" + i);
            meta.putArray("finalizers").add(Names.FINALIZER);
            meta.putObject("labels").put(Names.POOL, pool).put(Names.NODE, node.apply(i));
            create(blocks, null, block);
        }
    }

    /** Pods of some Deployment. */
    void createPods(int count) {
        for (int i = 0; i < count; i++) {
            createPod("web-" + i, "web", "n" + i % 100, "x".repeat(500));
        }
    }

    /** A pod of our agent on each of so many nodes, with so much about it that nobody needs. */
    void createAgents(int count, int bytes) {
        for (int i = 0; i < count; i++) {
            createPod("agent-" + i, "coil-agent", "n" + i, "x".repeat(bytes));
        }
    }

    private void createPod(String name, String component, String node, String ballast) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode meta = pod.putObject("metadata").put("name", name).put("namespace", "default");
        meta.putObject("labels").put("app.kubernetes.io/component", component);
        meta.putObject("annotations").put("ballast", ballast);
        ObjectNode spec = pod.putObject("spec").put("nodeName", node);
        spec.putArray("containers").addObject().put("name", "main").put("image", "main");
        create(pods, "default", pod);
    }

    private void create(ResourceType type, @Nullable String namespace, ObjectNode object) {
        server.operations()
                .create(
                        type,
                        namespace,
                        object,
                        new Operations.WriteQuery(
                                "tester",
                                List.of("system:masters"),
                                false,
                                Operations.FieldValidation.STRICT,
                                "tester",
                                new ArrayList<>()));
    }

    void deletePods(int count) {
        for (int i = 0; i < count; i++) {
            server.operations()
                    .delete(
                            pods,
                            "default",
                            "web-" + i,
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
