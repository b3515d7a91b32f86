package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.Operations.Propagation;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

class CollectorTest {
    private final TestServer server = new TestServer();

    @Test
    void whatHasLostItsOwnerGoes() {
        ObjectNode owner = server.widget("owner");
        owned("child", owner, false);
        server.operations.delete(server.widgets(), null, "owner", server.delete());

        collect();

        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void anOwnerOfTheSameNameIsAnotherOwner() {
        ObjectNode first = server.widget("owner");
        owned("child", first, false);
        server.operations.delete(server.widgets(), null, "owner", server.delete());
        server.widget("owner");

        collect();

        assertThat(server.names(server.widgets())).containsExactly("owner");
    }

    @Test
    void nothingGoesWhileAnOwnerIsLeft() {
        ObjectNode a = server.widget("a");
        ObjectNode b = server.widget("b");
        ObjectNode child = owned("child", a, false);
        server.operations.patch(
                server.widgets(),
                null,
                "child",
                Operations.Part.MAIN,
                current -> {
                    current.withObject("metadata")
                            .withArray("ownerReferences")
                            .add(reference(b, false));
                    return current;
                },
                server.write());
        server.operations.delete(server.widgets(), null, "a", server.delete());

        collect();

        assertThat(server.names(server.widgets())).containsExactly("b", "child");
        assertThat(
                        server.operations
                                .get(server.widgets(), null, "child")
                                .path("metadata")
                                .path("ownerReferences"))
                .hasSize(1);
        assertThat(TestServer.name(child)).isEqualTo("child");
    }

    @Test
    void aFinalizerKeepsADependantButNotItsOwner() {
        ObjectNode owner = server.widget("owner");
        owned("child", owner, false);
        setFinalizers("child", "example.io/keep");
        server.operations.delete(server.widgets(), null, "owner", server.delete());

        collect();

        assertThat(server.names(server.widgets())).containsExactly("child");
        setFinalizers("child");
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void inTheForegroundTheOwnerGoesLast() {
        ObjectNode owner = server.widget("owner");
        owned("child", owner, true);
        setFinalizers("child", "example.io/keep");

        server.operations.delete(
                server.widgets(),
                null,
                "owner",
                server.delete(null, null, null, Propagation.FOREGROUND));
        collect();

        assertThat(server.names(server.widgets())).containsExactly("child", "owner");
        setFinalizers("child");
        collect();
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void orphansStay() {
        ObjectNode owner = server.widget("owner");
        owned("child", owner, true);

        server.operations.delete(
                server.widgets(),
                null,
                "owner",
                server.delete(null, null, null, Propagation.ORPHAN));
        collect();

        assertThat(server.names(server.widgets())).containsExactly("child");
        assertThat(
                        server.operations
                                .get(server.widgets(), null, "child")
                                .path("metadata")
                                .has("ownerReferences"))
                .isFalse();
    }

    @Test
    void aNamespaceTakesItsContentsWithIt() {
        server.create("v1", "namespaces", null, "metadata: {name: ns}");
        server.create("v1", "configmaps", "ns", "metadata: {name: c}");

        server.operations.delete(server.type("v1", "namespaces"), null, "ns", server.delete());

        assertThat(
                        server.operations
                                .get(server.type("v1", "namespaces"), null, "ns")
                                .path("status")
                                .path("phase")
                                .asString())
                .isEqualTo("Terminating");
        assertThatThrownBy(() -> server.create("v1", "configmaps", "ns", "metadata: {name: d}"))
                .hasMessage(
                        "configmaps \"d\" is forbidden: unable to create new content in namespace"
                                + " ns because it is being terminated");
        collect();
        assertThat(server.names(server.type("v1", "namespaces"))).doesNotContain("ns");
        assertThat(server.names(server.type("v1", "configmaps"))).isEmpty();
    }

    @Test
    void aDefinitionTakesItsObjectsWithIt() {
        server.widget("a");

        server.operations.delete(
                server.type("apiextensions.k8s.io/v1", "customresourcedefinitions"),
                null,
                "widgets.example.io",
                server.delete());
        assertThatThrownBy(() -> server.widget("b"))
                .hasMessage("create not allowed while custom resource definition is terminating");
        collect();

        assertThat(server.storage.registry().find("example.io", "v1", "widgets")).isEmpty();
        assertThat(server.storage.store().everything().objects())
                .extracting(o -> o.name())
                .containsExactly("default");
    }

    @Test
    void eventsAreForgottenAfterAnHour() {
        server.create(
                "v1",
                "events",
                "default",
                "{metadata: {name: e}, involvedObject: {kind: Pod}, lastTimestamp: '2026-01-02T03:04:05Z'}");

        server.pass(Duration.ofMinutes(50));
        collect();
        assertThat(server.names(server.type("v1", "events"))).containsExactly("e");
        server.pass(Duration.ofMinutes(11));
        collect();
        assertThat(server.names(server.type("v1", "events"))).isEmpty();
    }

    @Test
    void aRoundWithNothingToDoChangesNothing() {
        ObjectNode owner = server.widget("owner");
        owned("child", owner, true);

        assertThat(server.storage.collector().collectGarbage()).isZero();
    }

    private void collect() {
        server.storage.collector().collectAll(10);
    }

    private ObjectNode owned(String name, ObjectNode owner, boolean blocks) {
        ObjectNode body =
                TestServer.yaml("{metadata: {name: %s}, spec: {size: 1}}".formatted(name));
        body.withObject("metadata").withArray("ownerReferences").add(reference(owner, blocks));
        return server.operations.create(server.widgets(), null, body, server.write());
    }

    private static ObjectNode reference(ObjectNode owner, boolean blocks) {
        return TestServer.yaml(
                "{apiVersion: example.io/v1, kind: Widget, name: %s, uid: %s, blockOwnerDeletion: %s}"
                        .formatted(TestServer.name(owner), TestServer.meta(owner, "uid"), blocks));
    }

    private void setFinalizers(String name, String... finalizers) {
        server.operations.patch(
                server.widgets(),
                null,
                name,
                Operations.Part.MAIN,
                current -> {
                    var array = current.withObject("metadata").putArray("finalizers");
                    for (String finalizer : finalizers) {
                        array.add(finalizer);
                    }
                    return current;
                },
                server.write());
    }
}
