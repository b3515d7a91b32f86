package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;
import io.coil.sandbox.cluster.Pods;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What an administrator does to programs and nodes, and the collections that he starts. */
abstract class Administrator {
    static final Duration SOON = Duration.ofSeconds(30);

    final KubeApi api;

    Administrator(KubeApi api) {
        this.api = api;
    }

    KubeApi api() {
        return api;
    }

    void soon(ThrowingRunnable assertion) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .untilAsserted(assertion);
    }

    void scaleControllers(int replicas) {
        api.patch(
                Kinds.DEPLOYMENTS,
                "kube-system",
                "coil-controller",
                Preconditions.NONE,
                "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    void awaitControllers(int replicas) {
        soon(
                () -> {
                    List<V1Pod> pods = programs("coil-controller");
                    assertThat(pods).hasSize(replicas).allMatch(Pods::ready);
                });
    }

    List<V1Pod> programs(String component) {
        return api.list(
                        Kinds.PODS,
                        new Selection(
                                "kube-system", "app.kubernetes.io/component=" + component, null))
                .items();
    }

    void annotateNode(String node, @Nullable String collection) {
        String value = collection == null ? "null" : "\"" + collection + "\"";
        api.patch(
                Kinds.NODES,
                null,
                node,
                Preconditions.NONE,
                "{\"metadata\":{\"annotations\":{\"" + Names.COLLECTION + "\":" + value + "}}}");
    }

    V1Node createNode(String name) {
        return api.create(
                Kinds.NODES,
                new V1Node().apiVersion("v1").kind("Node").metadata(new V1ObjectMeta().name(name)));
    }

    void deleteNode(String name) {
        api.delete(Kinds.NODES, null, name, Preconditions.NONE);
    }

    /** A node that is there with its agent serving. */
    void awaitNode(String name) {
        soon(
                () ->
                        assertThat(programs("coil-agent"))
                                .anyMatch(
                                        p ->
                                                name.equals(p.getSpec().getNodeName())
                                                        && Pods.ready(p)));
    }

    GarbageCollection collect(String name, GarbageCollection.Spec spec) {
        soon(
                () -> {
                    if (api.get(Kinds.COLLECTIONS, null, name).isEmpty()) {
                        api.create(
                                Kinds.COLLECTIONS,
                                new GarbageCollection(
                                        Names.OPS_API,
                                        "GarbageCollection",
                                        new V1ObjectMeta().name(name),
                                        spec,
                                        null));
                    }
                });
        return awaitFinished(name);
    }

    GarbageCollection awaitFinished(String name) {
        soon(
                () ->
                        assertThat(api.get(Kinds.COLLECTIONS, null, name))
                                .hasValueSatisfying(c -> assertThat(c.finished()).isTrue()));
        return api.get(Kinds.COLLECTIONS, null, name).orElseThrow();
    }

    static List<RunItem> items(GarbageCollection run) {
        return Objects.requireNonNull(Objects.requireNonNull(run.status()).items());
    }
}
