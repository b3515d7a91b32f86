package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.sandbox.Sandbox;
import io.coil.sandbox.check.Invariants;
import io.coil.sandbox.cluster.Pods;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What the person at the keyboard does and sees, in the words of the scenarios. */
final class Operator extends Administrator {
    static final String NODE = "coil-worker";
    static final String OTHER_NODE = "coil-worker2";

    private final Sandbox sandbox;
    private final List<String> pools = new ArrayList<>();
    private final List<String> namespaces = new ArrayList<>();

    Operator(Sandbox sandbox) {
        super(sandbox.api());
        this.sandbox = sandbox;
    }

    Sandbox sandbox() {
        return sandbox;
    }

    // ------------------------------------------------------------------ pools and namespaces

    void createPool(String name, int bits, String cidr) {
        // A controller that has just started may not answer for admission yet.
        soon(
                () -> {
                    if (api.get(Kinds.POOLS, null, name).isEmpty()) {
                        api.create(Kinds.POOLS, pool(name, bits, cidr));
                    }
                });
        pools.add(name);
    }

    private static AddressPool pool(String name, int bits, String cidr) {
        return new AddressPool(
                Names.COIL_API,
                "AddressPool",
                new V1ObjectMeta().name(name),
                new AddressPool.Spec(bits, List.of(new AddressPool.Subnet(cidr, null))),
                null);
    }

    void createNamespace(String name, String pool) {
        api.create(
                Kinds.NAMESPACES,
                new V1Namespace()
                        .apiVersion("v1")
                        .kind("Namespace")
                        .metadata(
                                new V1ObjectMeta()
                                        .name(name)
                                        .putAnnotationsItem(Names.NAMESPACE_POOL, pool)));
        namespaces.add(name);
    }

    AddressPool pool(String name) {
        return api.get(Kinds.POOLS, null, name).orElseThrow();
    }

    boolean poolExists(String name) {
        return api.get(Kinds.POOLS, null, name).isPresent();
    }

    /** Says the word; does not wait. */
    void deletePool(String name) {
        api.delete(Kinds.POOLS, null, name, Preconditions.NONE);
    }

    void awaitPoolGone(String name, Duration most) {
        await().atMost(most)
                .untilAsserted(() -> assertThat(api.get(Kinds.POOLS, null, name)).isEmpty());
    }

    // ------------------------------------------------------------------ pods

    void createPod(String namespace, String name, @Nullable String node) {
        V1PodSpec spec =
                new V1PodSpec()
                        .nodeName(node)
                        .addContainersItem(
                                new V1Container()
                                        .name("pause")
                                        .image("pause")
                                        .addCommandItem("pause"));
        api.create(
                Kinds.PODS,
                new V1Pod()
                        .apiVersion("v1")
                        .kind("Pod")
                        .metadata(new V1ObjectMeta().namespace(namespace).name(name))
                        .spec(Pods.withoutOverhead(spec)));
    }

    V1Pod pod(String namespace, String name) {
        return api.get(Kinds.PODS, namespace, name).orElseThrow();
    }

    boolean isReady(String namespace, String name) {
        return api.get(Kinds.PODS, namespace, name).map(Pods::ready).orElse(false);
    }

    V1Pod awaitReady(String namespace, String name) {
        soon(() -> assertThat(isReady(namespace, name)).as("%s is ready", name).isTrue());
        return pod(namespace, name);
    }

    void deletePod(String namespace, String name) {
        api.delete(Kinds.PODS, namespace, name, Preconditions.NONE);
        soon(() -> assertThat(api.get(Kinds.PODS, namespace, name)).isEmpty());
    }

    List<CoreV1Event> eventsOf(String namespace, String pod) {
        return api.list(Kinds.EVENTS, new Selection(namespace, null, "involvedObject.name=" + pod))
                .items();
    }

    // ------------------------------------------------------------------ blocks and requests

    List<AddressBlock> blocksOf(String pool) {
        return api.list(Kinds.BLOCKS, Selection.labelled(Names.POOL, pool)).items();
    }

    List<AddressBlock> blocksOn(String node) {
        return api.list(Kinds.BLOCKS, Selection.labelled(Names.NODE, node)).items();
    }

    long requestsOf(String pool) {
        return api.list(Kinds.REQUESTS, Selection.ALL).items().stream()
                .filter(r -> r.spec().poolName().equals(pool))
                .count();
    }

    /** As somebody would with {@code kubectl create}. */
    AddressBlock createBlock(String pool, int index, String cidr, String node) {
        AddressPool owner = pool(pool);
        return api.create(
                Kinds.BLOCKS,
                new AddressBlock(
                        Names.COIL_API,
                        "AddressBlock",
                        new V1ObjectMeta()
                                .name(pool + "-" + index)
                                .labels(Map.of(Names.POOL, pool, Names.NODE, node))
                                .addFinalizersItem(Names.FINALIZER)
                                .addOwnerReferencesItem(
                                        new V1OwnerReference()
                                                .apiVersion(Names.COIL_API)
                                                .kind("AddressPool")
                                                .name(pool)
                                                .uid(Meta.uid(owner.metadata()))
                                                .controller(true)
                                                .blockOwnerDeletion(true)),
                        index,
                        cidr,
                        null));
    }

    // ------------------------------------------------------------------ truth

    /** Routes that a node announces. */
    Set<Cidr> exported(String node) {
        return Objects.requireNonNull(sandbox.kernels().get(node)).exported();
    }

    /** All that must hold now, and, soon, all that must hold when things are quiet. */
    void assertInvariants() {
        assertThat(Invariants.violations(sandbox.world())).isEmpty();
        soon(
                () ->
                        assertThat(Invariants.violationsWhenQuiet(sandbox.world()))
                                .as("violations when quiet")
                                .isEmpty());
    }

    /** Leaves the cluster as the next test wants it. */
    void clearUp() {
        sandbox.server().faults().clear();
        scaleControllers(2);
        awaitControllers(2);
        annotateNode(NODE, null);
        for (String namespace : namespaces) {
            end(namespace);
        }
        for (String namespace : namespaces) {
            soon(() -> assertThat(api.get(Kinds.NAMESPACES, null, namespace)).isEmpty());
        }
        for (String pool : pools) {
            forget(() -> deletePool(pool));
        }
        for (String pool : pools) {
            awaitPoolGone(pool, SOON);
        }
        namespaces.clear();
        pools.clear();
    }

    /** With its pods; a real namespace controller would begin 5 s later only. */
    private void end(String namespace) {
        for (V1Pod pod : api.list(Kinds.PODS, new Selection(namespace, null, null)).items()) {
            forget(() -> deletePod(namespace, Meta.name(pod.getMetadata())));
        }
        forget(() -> api.delete(Kinds.NAMESPACES, null, namespace, Preconditions.NONE));
        try {
            sandbox.server()
                    .administer(
                            "PUT",
                            "/api/v1/namespaces/" + namespace + "/finalize",
                            "application/json",
                            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"finalizers\":[]}}"
                                    .formatted(namespace));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Runnable deletion) {
        try {
            deletion.run();
        } catch (ApiFailure.Stale e) {
            // The test did it.
        }
    }
}
