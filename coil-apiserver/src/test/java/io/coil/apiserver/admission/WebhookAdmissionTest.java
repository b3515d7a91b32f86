package io.coil.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.Operations.Part;
import io.coil.apiserver.lifecycle.TestServer;
import io.coil.apiserver.storage.Storage;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

class WebhookAdmissionTest {
    private static final String RULES =
            """
            rules:
                - operations: ["*"]
                  apiGroups: [example.io]
                  apiVersions: [v1]
                  resources: [widgets]
            """;

    private final List<JsonNode> reviews = new ArrayList<>();
    private Function<JsonNode, ObjectNode> answer = request -> allowed();
    private boolean unreachable;

    private final TestServer server =
            new TestServer(
                    clock ->
                            Storage.inMemory(
                                    clock,
                                    new SplittableRandom(7),
                                    new Storage.Callouts(
                                            this::call,
                                            service ->
                                                    Optional.of(
                                                            URI.create(
                                                                    "https://127.0.0.1:1"
                                                                            + service.path())))));

    @Test
    void aMutatingWebhookChangesTheObject() {
        configure("mutating", "");
        answer =
                request ->
                        patch(
                                "[{'op':'add','path':'/metadata/finalizers','value':['example.io']}]");

        ObjectNode made = server.widget("a");

        assertThat(Json.texts(made.path("metadata").path("finalizers")))
                .containsExactly("example.io");
        assertThat(reviews).hasSize(1);
        JsonNode request = reviews.getFirst().path("request");
        assertThat(request.path("operation").asString()).isEqualTo("CREATE");
        assertThat(request.path("kind").path("kind").asString()).isEqualTo("Widget");
        assertThat(request.path("resource").path("resource").asString()).isEqualTo("widgets");
        assertThat(request.path("object").path("spec").path("color").asString()).isEqualTo("grey");
        assertThat(request.path("oldObject").isNull()).isTrue();
        assertThat(request.path("userInfo").path("username").asString()).isEqualTo("tester");
    }

    @Test
    void aRefusalIsToldInItsWords() {
        configure("validating", "");
        answer = request -> denied(403, "Forbidden", "too large");

        assertThatThrownBy(() -> server.widget("a"))
                .hasMessage("admission webhook \"w.example.io\" denied the request: too large")
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(403));
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void anUpdateShowsBothObjectsAndADeletionTheOldOne() {
        server.widget("a");
        configure("validating", "");

        server.patch(server.widgets(), "a", Part.MAIN, o -> o.withObject("spec").put("size", 2));
        server.operations.delete(server.widgets(), null, "a", server.delete());

        JsonNode update = reviews.get(0).path("request");
        assertThat(update.path("oldObject").path("spec").path("size").asInt()).isEqualTo(1);
        assertThat(update.path("object").path("spec").path("size").asInt()).isEqualTo(2);
        JsonNode deletion = reviews.get(1).path("request");
        assertThat(deletion.path("operation").asString()).isEqualTo("DELETE");
        assertThat(deletion.path("object").isNull()).isTrue();
        assertThat(deletion.path("oldObject").path("spec").path("size").asInt()).isEqualTo(2);
    }

    @Test
    void aSubresourceIsAskedForByName() {
        server.widget("a");
        configure("validating", "");

        server.patch(
                server.widgets(), "a", Part.STATUS, o -> o.withObject("status").put("phase", "x"));

        assertThat(reviews).isEmpty();
    }

    @Test
    void warningsReachTheClient() {
        configure("validating", "");
        answer =
                request -> {
                    ObjectNode response = allowed();
                    response.putArray("warnings").add("careful");
                    return response;
                };

        server.widget("a");

        assertThat(server.warnings).containsExactly("careful");
    }

    @Test
    void anUnreachableWebhookStopsTheWriteUnlessItsFailureIsIgnored() {
        configure("validating", "failurePolicy: Fail");
        unreachable = true;
        assertThatThrownBy(() -> server.widget("a"))
                .hasMessageStartingWith(
                        "Internal error occurred: failed calling webhook \"w.example.io\": failed"
                                + " to call webhook: Post \"https://127.0.0.1:1/path\"")
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(500));

        server.operations.delete(
                server.type("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations"),
                null,
                "hooks",
                server.delete());
        configure("validating", "failurePolicy: Ignore");
        assertThat(TestServer.name(server.widget("a"))).isEqualTo("a");
    }

    @Test
    void aWebhookIsToldOfADryRun() {
        configure("validating", "");

        server.operations.create(
                server.widgets(),
                null,
                TestServer.yaml("{metadata: {name: a}, spec: {size: 1}}"),
                server.dryRun());

        assertThat(reviews.getFirst().path("request").path("dryRun").asBoolean()).isTrue();
        assertThat(server.names(server.widgets())).isEmpty();
    }

    @Test
    void anObjectThatTheSelectorLeavesOutIsNotAskedAbout() {
        configure("validating", "objectSelector: {matchLabels: {audited: 'yes'}}");

        server.widget("a");

        assertThat(reviews).isEmpty();
    }

    @Test
    void aChangeDuringTheReviewIsNotLost() {
        server.widget("a");
        configure("validating", "");
        answer =
                request -> {
                    if (reviews.size() == 1) {
                        server.patch(
                                server.widgets(),
                                "a",
                                Part.MAIN,
                                o -> o.withObject("spec").put("color", "red"));
                    }
                    return allowed();
                };

        ObjectNode made =
                server.patch(
                        server.widgets(), "a", Part.MAIN, o -> o.withObject("spec").put("size", 9));

        assertThat(made.path("spec").path("size").asInt()).isEqualTo(9);
        assertThat(made.path("spec").path("color").asString()).isEqualTo("red");
    }

    private void configure(String kind, String more) {
        server.create(
                "admissionregistration.k8s.io/v1",
                kind + "webhookconfigurations",
                null,
                """
                metadata: {name: hooks}
                webhooks:
                - name: w.example.io
                  sideEffects: None
                  admissionReviewVersions: [v1]
                  clientConfig: {service: {namespace: default, name: hook, path: /path}}
                """
                        + (more.isEmpty() ? "" : "  " + more + "\n")
                        + "  "
                        + RULES);
    }

    private String call(WebhookTransport.Call call) throws IOException {
        if (unreachable) {
            throw new IOException("connection refused");
        }
        assertThat(call.serverName()).isEqualTo("hook.default.svc");
        JsonNode review = Json.MAPPER.readTree(call.body());
        reviews.add(review);
        ObjectNode response = answer.apply(review.path("request"));
        response.put("uid", review.path("request").path("uid").asString());
        ObjectNode answered = Json.object();
        answered.set("response", response);
        return Json.MAPPER.writeValueAsString(answered);
    }

    private static ObjectNode allowed() {
        return Json.object().put("allowed", true);
    }

    private static ObjectNode patch(String operations) {
        byte[] bytes = operations.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return allowed()
                .put("patchType", "JSONPatch")
                .put("patch", Base64.getEncoder().encodeToString(bytes));
    }

    private static ObjectNode denied(int code, String reason, String message) {
        ObjectNode response = Json.object().put("allowed", false);
        Json.child(response, "status")
                .put("code", code)
                .put("reason", reason)
                .put("message", message);
        return response;
    }
}
