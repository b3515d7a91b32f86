package io.coil.apiserver;

import static io.coil.apiserver.Servers.WIDGETS;
import static io.coil.apiserver.Servers.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.Client.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;

/** Verbs, content types and shapes over HTTPS. */
class VerbsIT {
    private static ApiServer server;
    private static Client client;

    @BeforeAll
    static void start() throws IOException {
        server = Servers.withWidgets().build().start();
        client = Client.admin(server);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void createReadReplaceDelete() {
        Answer created = client.post(WIDGETS, widget("life", "red"));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/metadata/uid")).isNotEmpty();

        Answer read = client.get(WIDGETS + "/life");
        assertThat(read.json()).isEqualTo(created.json());

        Answer replaced = client.put(WIDGETS + "/life", read.text().replace("red", "blue"));
        assertThat(replaced.code()).isEqualTo(200);
        assertThat(replaced.at("/metadata/generation")).isEqualTo("2");

        assertThat(client.put(WIDGETS + "/life", read.text()).code()).isEqualTo(409);

        Answer deleted = client.delete(WIDGETS + "/life");
        assertThat(deleted.at("/kind")).isEqualTo("Status");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.at("/metadata/uid"));
        Answer gone = client.get(WIDGETS + "/life");
        assertThat(gone.code()).isEqualTo(404);
        assertThat(gone.at("/reason")).isEqualTo("NotFound");
        assertThat(gone.at("/details/name")).isEqualTo("life");
    }

    @Test
    void deletionHonoursPreconditions() {
        client.post(WIDGETS, widget("kept", "red"));
        Answer refused =
                client.send(
                        "DELETE",
                        WIDGETS + "/kept",
                        "application/json",
                        "{\"preconditions\":{\"uid\":\"another\"}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(client.get(WIDGETS + "/kept").code()).isEqualTo(200);
    }

    @Test
    void aBodyOfAnotherKindNameOrNamespaceIsRefused() {
        assertThat(client.post(WIDGETS, "{\"kind\":\"Gadget\"}").message())
                .contains("kind in the data (Gadget) does not match the expected kind (Widget)");
        assertThat(client.post(WIDGETS, "{\"apiVersion\":\"v2\"}").message())
                .contains("does not match the expected API version (example.org/v1)");
        assertThat(client.post(WIDGETS, "{\"metadata\":{\"namespace\":\"x\"}}").message())
                .contains("does not match the namespace sent on the request");
        assertThat(client.put(WIDGETS + "/a", widget("b", "red")).message())
                .contains("(b) does not match the name on the URL (a)");
        assertThat(client.post(WIDGETS, "{").code()).isEqualTo(400);
        assertThat(client.post(WIDGETS, "[]").code()).isEqualTo(400);
    }

    @Test
    void yamlIsReadToo() {
        Answer created =
                client.send(
                        "POST",
                        WIDGETS,
                        "application/yaml",
                        "metadata: {name: yaml}\nspec: {colour: red}\n");
        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void formatsThatAreNotReadAreRefusedByName() {
        assertThat(client.send("POST", WIDGETS, "application/cbor", "x").code()).isEqualTo(415);
        Answer apply = client.send("PATCH", WIDGETS + "/x", "application/apply-patch+yaml", "a: b");
        assertThat(apply.code()).isEqualTo(415);
        assertThat(apply.message()).contains("server-side apply");
        client.post(WIDGETS, widget("strategic", "red"));
        Answer strategic =
                client.send(
                        "PATCH",
                        WIDGETS + "/strategic",
                        "application/strategic-merge-patch+json",
                        "{}");
        assertThat(strategic.code()).isEqualTo(415);
    }

    @Test
    void unknownPathsAndMethodsAreRefused() {
        for (String path :
                new String[] {
                    "/", "/nothing", "/apis/none.org/v1", "/api/v1/nothings", "/api/v2"
                }) {
            assertThat(client.get(path).code()).as(path).isEqualTo(404);
        }
        assertThat(client.get("/openapi/v2").code()).isEqualTo(406);
        assertThat(client.put(WIDGETS, "{}").code()).isEqualTo(405);
        assertThat(client.post("/apis/example.org/v1/widgets", widget("nowhere", "red")).code())
                .isEqualTo(405);
    }

    @Test
    void warnsOfFieldsThatItDrops() {
        Answer created =
                client.post(
                        WIDGETS,
                        widget("warned", "red").replace("\"spec\"", "\"speck\": 1, \"spec\""));
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.headers().firstValue("Warning").orElse(""))
                .startsWith("299 - ")
                .contains("speck");
        Answer ignored =
                client.post(
                        WIDGETS + "?fieldValidation=Ignore",
                        widget("ignored", "red").replace("\"spec\"", "\"speck\": 1, \"spec\""));
        assertThat(ignored.headers().firstValue("Warning")).isEmpty();
    }

    @Test
    void listsComeInPagesOfOneMoment() {
        String path = "/api/v1/namespaces/default/configmaps";
        for (int i = 0; i < 5; i++) {
            client.post(path, "{\"metadata\":{\"name\":\"page-" + i + "\"}}");
        }
        JsonNode first = client.get(path + "?limit=2").json();
        assertThat(first.at("/items")).hasSize(2);
        assertThat(first.at("/metadata/remainingItemCount").asInt()).isEqualTo(3);
        client.delete(path + "/page-4");
        String next = first.at("/metadata/continue").asString();
        JsonNode second = client.get(path + "?limit=9&continue=" + next).json();
        assertThat(second.at("/items")).hasSize(3);
        assertThat(second.at("/metadata/resourceVersion"))
                .isEqualTo(first.at("/metadata/resourceVersion"));
    }

    @Test
    void acceptDecidesTheShape() {
        client.post(WIDGETS, widget("shaped", "green"));
        JsonNode table =
                accepting("application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
                        .get(WIDGETS + "?labelSelector=colour%3Dgreen")
                        .json();
        assertThat(table.at("/kind").asString()).isEqualTo("Table");
        assertThat(table.at("/columnDefinitions")).hasSize(5);
        assertThat(table.at("/rows/0/cells/0").asString()).isEqualTo("shaped");
        assertThat(table.at("/rows/0/cells/1").asString()).isEqualTo("green");
        assertThat(table.at("/rows/0/object/kind").asString()).isEqualTo("PartialObjectMetadata");
        JsonNode partial =
                accepting("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
                        .get(WIDGETS + "/shaped")
                        .json();
        assertThat(partial.has("spec")).isFalse();
        assertThat(accepting("text/html").get(WIDGETS).code()).isEqualTo(406);
        assertThat(
                        accepting("application/vnd.kubernetes.protobuf,application/json")
                                .get(WIDGETS)
                                .code())
                .isEqualTo(200);
    }

    private static Client accepting(String accept) {
        return Client.admin(server).with("Accept", accept);
    }

    @Test
    void scaleIsReadAndWrittenByItself() {
        client.post(WIDGETS, widget("scaled", "red"));
        Answer scale = client.get(WIDGETS + "/scaled/scale");
        assertThat(scale.at("/apiVersion")).isEqualTo("autoscaling/v1");
        String wanted = scale.text().replace("\"replicas\":0", "\"replicas\":4");
        // As kubectl scale --current-replicas does: without a content type.
        assertThat(client.send("PUT", WIDGETS + "/scaled/scale", "", wanted).code()).isEqualTo(200);
        assertThat(client.get(WIDGETS + "/scaled").at("/spec/replicas")).isEqualTo("4");
        assertThat(client.put(WIDGETS + "/scaled/scale", wanted).code()).isEqualTo(409);
        assertThat(client.merge(WIDGETS + "/scaled/scale", "{\"spec\":{\"replicas\":-1}}").code())
                .isEqualTo(422);
    }

    @Test
    void podsAreBoundOnceAndEvicted() {
        String pods = "/api/v1/namespaces/default/pods";
        client.post(
                pods,
                "{\"metadata\":{\"name\":\"bound\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                        + "\"image\":\"i\"}]}}");
        String binding = "{\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}";
        assertThat(client.post(pods + "/bound/binding", binding).code()).isEqualTo(201);
        assertThat(client.get(pods + "/bound").at("/spec/nodeName")).isEqualTo("n1");
        Answer again = client.post(pods + "/bound/binding", binding);
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.message()).contains("is already assigned to node \"n1\"");
        assertThat(client.post(pods + "/bound/eviction", "{}").code()).isEqualTo(201);
        assertThat(client.get(pods + "/bound").at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(client.get(pods + "/bound/exec").code()).isEqualTo(501);
    }

    @Test
    void discoveryListsWhatIsServed() {
        assertThat(client.get("/apis").text()).contains("\"example.org\"", "authorization.k8s.io");
        assertThat(client.get("/apis/example.org").at("/preferredVersion/version")).isEqualTo("v1");
        JsonNode resources = client.get("/apis/example.org/v1").json().at("/resources");
        assertThat(resources.valueStream().map(r -> r.path("name").asString("")))
                .containsExactly("widgets", "widgets/status", "widgets/scale");
        String index =
                client.get("/openapi/v3").at("/paths/apis~1example.org~1v1/serverRelativeURL");
        assertThat(client.get(index).text())
                .contains("x-kubernetes-group-version-kind", "fieldValidation", "The colour of");
    }

    @Test
    void aNewDefinitionIsServedAtOnceAndGoesWithItsObjects() {
        String yaml =
                """
                {"metadata": {"name": "gadgets.example.net"}, "spec": {"group": "example.net",
                 "scope": "Cluster", "names": {"plural": "gadgets", "singular": "gadget",
                 "kind": "Gadget", "listKind": "GadgetList"}, "versions": [{"name": "v1",
                 "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object",
                 "x-kubernetes-preserve-unknown-fields": true}}}]}}
                """;
        String crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        assertThat(client.post(crds, yaml).code()).isEqualTo(201);
        assertThat(client.get("/apis/example.net/v1").text()).contains("gadgets");
        assertThat(client.get("/openapi/v3/apis/example.net/v1").text()).contains("Gadget");
        assertThat(
                        client.post(
                                        "/apis/example.net/v1/gadgets",
                                        "{\"metadata\":{\"name\":\"g\"}}")
                                .code())
                .isEqualTo(201);
    }
}
