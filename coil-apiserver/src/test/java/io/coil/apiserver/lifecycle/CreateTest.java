package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class CreateTest {
    private final TestServer server = new TestServer();

    @Test
    void theServerSetsWhatIsItsOwn() {
        ObjectNode made = server.widget("a");

        assertThat(made.path("metadata").path("uid").asString())
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(TestServer.meta(made, "creationTimestamp")).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(made.path("metadata").path("generation").asInt()).isEqualTo(1);
        assertThat(Long.parseLong(TestServer.version(made)))
                .isEqualTo(server.storage.store().version());
        assertThat(made.path("apiVersion").asString()).isEqualTo("example.io/v1");
        assertThat(made.path("spec").path("color").asString()).isEqualTo("grey");
        assertThat(server.operations.get(server.widgets(), null, "a")).isEqualTo(made);
    }

    @Test
    void aNameIsTakenOnce() {
        server.widget("a");

        assertThatThrownBy(() -> server.widget("a"))
                .isInstanceOfSatisfying(
                        ApiStatusException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(409);
                            assertThat(e.reason()).isEqualTo("AlreadyExists");
                        })
                .hasMessage("widgets.example.io \"a\" already exists");
    }

    @Test
    void aNameCanBeMadeUp() {
        ObjectNode made =
                server.create(
                        "example.io/v1",
                        "widgets",
                        null,
                        "{metadata: {generateName: w-}, spec: {size: 1}}");

        assertThat(TestServer.name(made)).matches("w-[a-z0-9]{5}");
    }

    @Test
    void theNamespaceMustBeThere() {
        assertThatThrownBy(
                        () -> server.create("v1", "configmaps", "nowhere", "{metadata: {name: c}}"))
                .hasMessage("namespaces \"nowhere\" not found");
    }

    @Test
    void aDryRunWritesNothing() {
        long before = server.storage.store().version();

        ObjectNode made =
                server.operations.create(
                        server.widgets(),
                        null,
                        TestServer.yaml("{metadata: {name: a}, spec: {size: 1}}"),
                        server.dryRun());

        assertThat(made.path("spec").path("color").asString()).isEqualTo("grey");
        assertThat(server.storage.store().version()).isEqualTo(before);
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void anUnknownFieldIsRefused() {
        assertThatThrownBy(
                        () ->
                                server.create(
                                        "example.io/v1",
                                        "widgets",
                                        null,
                                        "{metadata: {name: a}, spec: {size: 1, colour: red}}"))
                .hasMessage(
                        "Widget in version \"v1\" cannot be handled as a Widget: strict decoding"
                                + " error: unknown field \"spec.colour\"");
    }

    @Test
    void whatTheSchemaDoesNotAllowIsRefused() {
        assertThatThrownBy(
                        () ->
                                server.create(
                                        "example.io/v1",
                                        "widgets",
                                        null,
                                        "{metadata: {name: a}, spec: {}}"))
                .hasMessage("Widget.example.io \"a\" is invalid: spec.size: Required value")
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.causes()).hasSize(1));
    }
}
