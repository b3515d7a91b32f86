package io.coil.apiserver.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.Operations.Part;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Consumer;

class UpdateTest {
    private final TestServer server = new TestServer();

    @Test
    void aReplacementFromAnOldVersionIsAConflict() {
        ObjectNode first = server.widget("a");
        setSize("a", 2);

        assertThatThrownBy(() -> replace(first, Part.MAIN))
                .isInstanceOfSatisfying(
                        ApiStatusException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(409);
                            assertThat(e.reason()).isEqualTo("Conflict");
                        })
                .hasMessage(
                        "Operation cannot be fulfilled on widgets.example.io \"a\": the object has"
                                + " been modified; please apply your changes to the latest version"
                                + " and try again");
    }

    @Test
    void aCustomObjectIsNotReplacedWithoutItsVersion() {
        ObjectNode body = server.widget("a");
        body.withObject("metadata").remove("resourceVersion");

        assertThatThrownBy(() -> replace(body, Part.MAIN))
                .hasMessage(
                        "Widget.example.io \"a\" is invalid: metadata.resourceVersion: Invalid"
                                + " value: 0x0: must be specified for an update");
    }

    @Test
    void anotherUidIsAnotherObject() {
        ObjectNode body = server.widget("a");
        body.withObject("metadata").put("uid", "other").remove("resourceVersion");

        assertThatThrownBy(() -> replace(body, Part.MAIN))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(409))
                .hasMessageContaining("Precondition failed: UID in precondition: other");
    }

    @Test
    void nothingIsWrittenWhenNothingChanges() {
        ObjectNode made = server.widget("a");
        long version = server.storage.store().version();

        ObjectNode again = replace(made, Part.MAIN);

        assertThat(again).isEqualTo(made);
        assertThat(server.storage.store().version()).isEqualTo(version);
    }

    @Test
    void generationCountsWhatIsWanted() {
        server.widget("a");

        assertThat(generation(setSize("a", 2))).isEqualTo(2);
        assertThat(generation(setSize("a", 2))).isEqualTo(2);
        ObjectNode labelled =
                server.patch(
                        server.widgets(),
                        "a",
                        Part.MAIN,
                        o -> o.withObject("metadata").withObject("labels").put("k", "v"));
        assertThat(generation(labelled)).isEqualTo(2);
        assertThat(generation(setPhase("a", "Ready"))).isEqualTo(2);
    }

    @Test
    void mainAndStatusDoNotTouchEachOther() {
        server.widget("a");
        setPhase("a", "Ready");

        ObjectNode main =
                server.patch(
                        server.widgets(),
                        "a",
                        Part.MAIN,
                        o -> {
                            o.withObject("spec").put("size", 5);
                            o.withObject("status").put("phase", "Broken");
                        });
        ObjectNode status =
                server.patch(
                        server.widgets(),
                        "a",
                        Part.STATUS,
                        o -> {
                            o.withObject("spec").put("size", 7);
                            o.withObject("status").put("phase", "Done");
                        });

        assertThat(main.path("status").path("phase").asString()).isEqualTo("Ready");
        assertThat(main.path("spec").path("size").asInt()).isEqualTo(5);
        assertThat(status.path("status").path("phase").asString()).isEqualTo("Done");
        assertThat(status.path("spec").path("size").asInt()).isEqualTo(5);
    }

    @Test
    void statusOfANewObjectIsDropped() {
        ObjectNode made =
                server.create(
                        "example.io/v1",
                        "widgets",
                        null,
                        "{metadata: {name: a}, spec: {size: 1}, status: {phase: Ready}}");

        assertThat(made.has("status")).isFalse();
    }

    @Test
    void scaleChangesReplicasAlone() {
        server.create(
                "apps/v1",
                "deployments",
                "default",
                """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c}]}}
                """);

        ObjectNode scaled =
                server.operations.patch(
                        server.type("apps/v1", "deployments"),
                        "default",
                        "web",
                        Part.SCALE,
                        o -> {
                            o.withObject("spec").put("replicas", 3).put("paused", true);
                            return o;
                        },
                        server.write());

        assertThat(scaled.path("spec").path("replicas").asInt()).isEqualTo(3);
        assertThat(scaled.path("spec").has("paused")).isFalse();
        assertThat(generation(scaled)).isEqualTo(2);
    }

    @Test
    void whatTheServerSetStaysAsItIs() {
        ObjectNode made = server.widget("a");

        ObjectNode patched =
                server.patch(
                        server.widgets(),
                        "a",
                        Part.MAIN,
                        o ->
                                o.withObject("metadata")
                                        .put("creationTimestamp", "2000-01-01T00:00:00Z")
                                        .put("generation", 77)
                                        .put("deletionTimestamp", "2000-01-01T00:00:00Z"));

        assertThat(patched).isEqualTo(made);
    }

    @Test
    void aPatchIsAppliedAgainWhenSomebodyWroteInBetween() {
        server.widget("a");
        int[] calls = {0};

        ObjectNode patched =
                server.patch(
                        server.widgets(),
                        "a",
                        Part.MAIN,
                        o -> {
                            if (calls[0]++ == 0) {
                                setSize("a", 8);
                            }
                            o.withObject("spec").put("color", "red");
                        });

        assertThat(calls[0]).isEqualTo(2);
        assertThat(patched.path("spec").path("size").asInt()).isEqualTo(8);
        assertThat(patched.path("spec").path("color").asString()).isEqualTo("red");
    }

    @Test
    void aPatchThatNamesAnOldVersionIsAConflict() {
        ObjectNode first = server.widget("a");
        setSize("a", 2);

        assertThatThrownBy(
                        () ->
                                server.patch(
                                        server.widgets(),
                                        "a",
                                        Part.MAIN,
                                        o ->
                                                o.withObject("metadata")
                                                        .put(
                                                                "resourceVersion",
                                                                TestServer.version(first))))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(409));
    }

    @Test
    void whatIsGivenOutIsACopy() {
        server.widget("a").withObject("spec").put("size", 99);
        server.operations.get(server.widgets(), null, "a").withObject("spec").put("size", 98);
        setPhase("a", "Ready").withObject("spec").put("size", 97);
        server.operations
                .list(server.widgets(), null, TestServer.all())
                .items()
                .forEach(o -> o.withObject("spec").put("size", 96));

        assertThat(
                        server.operations
                                .get(server.widgets(), null, "a")
                                .path("spec")
                                .path("size")
                                .asInt())
                .isEqualTo(1);
    }

    @Test
    void aPodIsScheduledOnceAndStaysAsItIs() {
        server.create(
                "v1", "pods", "default", "{metadata: {name: p}, spec: {containers: [{name: c}]}}");
        patchPod(spec -> spec.put("nodeName", "n1"));
        patchPod(spec -> spec.withArray("containers").get(0).asObject().put("image", "new"));

        assertThatThrownBy(() -> patchPod(spec -> spec.put("nodeName", "n2")))
                .hasMessageContaining("spec: Forbidden: pod updates may not change fields other");
        assertThatThrownBy(() -> patchPod(spec -> spec.put("hostNetwork", true)))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(422));
    }

    private void patchPod(Consumer<ObjectNode> change) {
        server.operations.patch(
                server.pods(),
                "default",
                "p",
                Part.MAIN,
                o -> {
                    change.accept(o.withObject("spec"));
                    return o;
                },
                server.write());
    }

    @Test
    void aNamespaceThatIsReplacedKeepsWhatHoldsIt() {
        server.create("v1", "namespaces", null, "metadata: {name: ns}");

        ObjectNode replaced =
                server.operations.replace(
                        server.type("v1", "namespaces"),
                        null,
                        "ns",
                        Part.MAIN,
                        TestServer.yaml("metadata: {name: ns, labels: {a: b}}"),
                        server.write());

        assertThat(replaced.path("spec").path("finalizers")).hasSize(1);
        assertThat(replaced.path("status").path("phase").asString()).isEqualTo("Active");
        assertThat(replaced.path("metadata").path("labels"))
                .isEqualTo(TestServer.yaml("{a: b, kubernetes.io/metadata.name: ns}"));
    }

    @Test
    void aMissingObjectIsNotFound() {
        assertThatThrownBy(() -> setSize("nothing", 1))
                .hasMessage("widgets.example.io \"nothing\" not found");
    }

    private ObjectNode replace(ObjectNode body, Part part) {
        return server.operations.replace(
                server.widgets(), null, TestServer.name(body), part, body, server.write());
    }

    private ObjectNode setSize(String name, int size) {
        return server.patch(
                server.widgets(), name, Part.MAIN, o -> o.withObject("spec").put("size", size));
    }

    private ObjectNode setPhase(String name, String phase) {
        return server.patch(
                server.widgets(),
                name,
                Part.STATUS,
                o -> o.withObject("status").put("phase", phase));
    }

    private static int generation(ObjectNode object) {
        return object.path("metadata").path("generation").asInt();
    }
}
