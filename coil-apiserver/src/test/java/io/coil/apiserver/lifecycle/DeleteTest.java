package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.Operations.DeleteQuery;
import io.coil.apiserver.lifecycle.Operations.Deletion;
import io.coil.apiserver.lifecycle.Operations.Part;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;

class DeleteTest {
    private final TestServer server = new TestServer();

    @Test
    void anObjectThatNobodyHoldsGoesAtOnce() {
        ObjectNode made = server.widget("a");

        Deletion deletion = server.operations.delete(server.widgets(), null, "a", server.delete());

        assertThat(deletion.gone()).isTrue();
        assertThat(Long.parseLong(TestServer.version(deletion.object())))
                .isGreaterThan(Long.parseLong(TestServer.version(made)));
        assertThatThrownBy(() -> server.operations.get(server.widgets(), null, "a"))
                .hasMessage("widgets.example.io \"a\" not found");
    }

    @Test
    void preconditionsNameTheObjectThatIsMeant() {
        ObjectNode made = server.widget("a");

        assertThatThrownBy(
                        () ->
                                server.operations.delete(
                                        server.widgets(),
                                        null,
                                        "a",
                                        server.delete("other", null, null, null)))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(409))
                .hasMessageContaining("the UID in the precondition (other) does not match");
        assertThatThrownBy(
                        () ->
                                server.operations.delete(
                                        server.widgets(),
                                        null,
                                        "a",
                                        server.delete(null, "1", null, null)))
                .hasMessageContaining("the ResourceVersion in the precondition (1)");

        Deletion deletion =
                server.operations.delete(
                        server.widgets(),
                        null,
                        "a",
                        server.delete(
                                TestServer.meta(made, "uid"),
                                TestServer.version(made),
                                null,
                                null));
        assertThat(deletion.gone()).isTrue();
    }

    @Test
    void aFinalizerKeepsItUntilItIsTakenOff() {
        server.widget("a");
        finalizers("a", "example.io/one", "example.io/two");

        Deletion deletion = server.operations.delete(server.widgets(), null, "a", server.delete());

        assertThat(deletion.gone()).isFalse();
        assertThat(TestServer.meta(deletion.object(), "deletionTimestamp"))
                .isEqualTo("2026-01-02T03:04:05Z");
        assertThat(deletion.object().path("metadata").path("deletionGracePeriodSeconds").asInt(-1))
                .isZero();
        finalizers("a", "example.io/two");
        assertThat(server.names(server.widgets())).containsExactly("a");
        finalizers("a");
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void deletingTwiceChangesNothing() {
        server.widget("a");
        finalizers("a", "example.io/one");
        server.operations.delete(server.widgets(), null, "a", server.delete());
        long version = server.storage.store().version();
        server.pass(Duration.ofMinutes(1));

        Deletion second = server.operations.delete(server.widgets(), null, "a", server.delete());

        assertThat(second.gone()).isFalse();
        assertThat(server.storage.store().version()).isEqualTo(version);
    }

    @Test
    void noFinalizerIsAddedToWhatIsBeingDeleted() {
        server.widget("a");
        finalizers("a", "example.io/one");
        server.operations.delete(server.widgets(), null, "a", server.delete());

        assertThatThrownBy(() -> finalizers("a", "example.io/one", "example.io/two"))
                .hasMessageContaining(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the"
                                + " object is being deleted, found new finalizers"
                                + " []string{\"example.io/two\"}");
    }

    @Test
    void theNamespacesOfEveryClusterStay() {
        assertThatThrownBy(
                        () ->
                                server.operations.delete(
                                        server.type("v1", "namespaces"),
                                        null,
                                        "default",
                                        server.delete()))
                .hasMessage(
                        "namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void aDryRunDeletesNothing() {
        server.widget("a");
        DeleteQuery query =
                new DeleteQuery("tester", List.of(), true, null, null, null, null, server.warnings);

        assertThat(server.operations.delete(server.widgets(), null, "a", query).gone()).isTrue();
        assertThat(server.names(server.widgets())).containsExactly("a");
    }

    @Test
    void aPodThatRunsEndsGracefully() {
        pod("p", "n1");

        Deletion asked = server.operations.delete(server.pods(), "default", "p", server.delete());

        assertThat(asked.gone()).isFalse();
        assertThat(TestServer.meta(asked.object(), "deletionTimestamp"))
                .isEqualTo("2026-01-02T03:04:35Z");
        Deletion ended =
                server.operations.delete(
                        server.pods(), "default", "p", server.delete(null, null, 0, null));
        assertThat(ended.gone()).isTrue();
        assertThat(server.names(server.pods())).isEmpty();
    }

    @Test
    void aShorterGraceCountsFromTheFirstRequest() {
        pod("p", "n1");
        server.operations.delete(server.pods(), "default", "p", server.delete());
        server.pass(Duration.ofSeconds(3));

        Deletion again =
                server.operations.delete(
                        server.pods(), "default", "p", server.delete(null, null, 10, null));

        assertThat(TestServer.meta(again.object(), "deletionTimestamp"))
                .isEqualTo("2026-01-02T03:04:15Z");
        Deletion longer =
                server.operations.delete(
                        server.pods(), "default", "p", server.delete(null, null, 60, null));
        assertThat(longer.object()).isEqualTo(again.object());
    }

    @Test
    void aPodThatRunsNowhereGoesAtOnce() {
        pod("unscheduled", null);
        pod("finished", "n1");
        server.operations.patch(
                server.pods(),
                "default",
                "finished",
                Part.STATUS,
                o -> {
                    o.withObject("status").put("phase", "Succeeded");
                    return o;
                },
                server.write());

        for (String name : List.of("unscheduled", "finished")) {
            assertThat(
                            server.operations
                                    .delete(server.pods(), "default", name, server.delete())
                                    .gone())
                    .isTrue();
        }
    }

    @Test
    void aPodInItsGracePeriodStaysWhenItsFinalizerGoes() {
        pod("p", "n1");
        setPodFinalizers("example.io/keep");
        server.operations.delete(server.pods(), "default", "p", server.delete());

        setPodFinalizers();

        assertThat(server.names(server.pods())).containsExactly("p");
    }

    @Test
    void aCollectionIsDeletedBySelector() {
        for (String name : List.of("a", "b", "c")) {
            server.create(
                    "example.io/v1",
                    "widgets",
                    null,
                    "{metadata: {name: %s, labels: {old: '%s'}}, spec: {size: 1}}"
                            .formatted(name, !name.equals("b")));
        }

        List<ObjectNode> deleted =
                server.operations.deleteCollection(
                        server.widgets(),
                        null,
                        new Operations.ListQuery("old=true", null, 0, null, null, null),
                        server.delete());

        assertThat(deleted).extracting(TestServer::name).containsExactly("a", "c");
        assertThat(server.names(server.widgets())).containsExactly("b");
    }

    private void pod(String name, @Nullable String node) {
        server.create(
                "v1",
                "pods",
                "default",
                "{metadata: {name: %s}, spec: {%s containers: [{name: c}]}}"
                        .formatted(name, node == null ? "" : "nodeName: " + node + ","));
    }

    private void setPodFinalizers(String... finalizers) {
        server.operations.patch(
                server.pods(),
                "default",
                "p",
                Part.MAIN,
                o -> {
                    var array = o.withObject("metadata").putArray("finalizers");
                    for (String finalizer : finalizers) {
                        array.add(finalizer);
                    }
                    return o;
                },
                server.write());
    }

    private void finalizers(String name, String... finalizers) {
        server.patch(
                server.widgets(),
                name,
                Part.MAIN,
                o -> {
                    var array = o.withObject("metadata").putArray("finalizers");
                    for (String finalizer : finalizers) {
                        array.add(finalizer);
                    }
                });
    }
}
