package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists by REST: parts, order, filters, fields, CSV, and answers that the caller has already. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListsIT {
    private AdminFixture fixture;
    private Client viewer;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        World world = new World(fixture.api);
        for (String node : new String[] {"n1", "n2", "n3"}) {
            world.node(node);
        }
        world.pool("default", 1, "10.1.0.0/27");
        world.pool("other", 0, "10.2.0.0/30");
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        AddressBlock first = world.block("default", 0, "n1", "10.1.0.0/31");
        world.report("n1", first, "2", 1, now);
        world.block("default", 1, "n2", "10.1.0.2/31");
        world.block("default", 10, "n2", "10.1.0.20/31");
        world.report("n3", world.block("default", 2, "n3", "10.1.0.4/31"), "2", 2, now);
        viewer = fixture.viewer();
        await().ignoreExceptions()
                .until(
                        () ->
                                viewer.get("/api/v1/blocks").json().at("/total").asInt() == 4
                                        && viewer.get("/api/v1/nodes/n3")
                                                .body()
                                                .contains("\"used\":2"));
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private static List<String> names(Answer answer) {
        List<String> names = new ArrayList<>();
        answer.json().at("/items").forEach(item -> names.add(item.at("/name").asString()));
        return names;
    }

    @Test
    void aListIsReadInParts() {
        Answer first = viewer.get("/api/v1/blocks?limit=3&pool=default");
        String link = first.header("Link");

        assertThat(names(first)).containsExactly("default-0", "default-1", "default-2");
        assertThat(first.header("Coil-Total")).isEqualTo("4");
        assertThat(link).endsWith(">; rel=\"next\"").contains("pool=default");
        Answer second = viewer.get(link.substring(1, link.indexOf('>')));
        assertThat(names(second)).containsExactly("default-10");
        assertThat(second.json().at("/next").isNull()).isTrue();
        assertThat(second.header("Link")).isEmpty();
        Answer elsewhere =
                viewer.get("/api/v1/nodes?continue=" + first.json().at("/next").asString());
        assertThat(elsewhere.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    nodes?sort=-name                           | n3 n2 n1
                    nodes?sort=-total.used                     | n3 n1 n2
                    nodes?sort=-total.blocks,name              | n2 n1 n3
                    nodes?sort=-pools.default.used             | n3 n1 n2
                    nodes?pool=other                           | ''
                    nodes?state=reporting                      | n1 n3
                    blocks?node=n2                             | default-1 default-10
                    blocks?state=not-there                     | 400
                    blocks?state=serving&sort=-used            | default-2 default-0
                    blocks?pool=default&node=n1                | default-0
                    pools?state=serving                        | default other
                    pools?sort=blocks.granted                  | other default
                    requests                                   | ''
                    nodes?sort=addresses                       | 400
                    nodes?sort=total                           | 400
                    nodes?limit=-1                             | 400
                    nodes?limit=many                           | 400
                    nodes?pol=default                          | 400
                    """)
    void ordersAndFilters(String query, String expected) {
        Answer answer = viewer.get("/api/v1/" + query);

        if (expected.equals("400")) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        } else {
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(String.join(" ", names(answer))).isEqualTo(expected);
        }
    }

    @Test
    void onlyTheFieldsAskedForAreSent() {
        JsonNode page = viewer.get("/api/v1/nodes?fields=name,total.used&limit=1").json();
        JsonNode one = viewer.get("/api/v1/blocks/default-0?fields=name,state").json();
        Answer wrong = viewer.get("/api/v1/nodes?fields=nme");

        assertThat(page.at("/items")).hasToString("[{\"name\":\"n1\",\"total\":{\"used\":1}}]");
        assertThat(page.at("/total").asInt()).isEqualTo(3);
        assertThat(one).hasToString("{\"name\":\"default-0\",\"state\":\"serving\"}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.json().at("/detail").asString())
                .startsWith("\"nme\" is not known; known are name, uid, ready,");
    }

    @Test
    void listsCanBeHadAsCsv() {
        Answer answer =
                viewer.get(
                        "/api/v1/blocks?fields=name,node,used&sort=-used&limit=2",
                        Map.of("Accept", "text/csv"));

        assertThat(answer.header("Content-Type")).startsWith("text/csv");
        assertThat(answer.body())
                .isEqualTo("name,node,used\r\ndefault-2,n3,2\r\ndefault-0,n1,1\r\n");
        assertThat(answer.header("Link")).contains("continue=");
        assertThat(answer.header("Age")).isNotEmpty();
        Answer whole = viewer.get("/api/v1/pools", Map.of("Accept", "text/csv"));
        assertThat(whole.body()).startsWith("name,uid,state,").contains("\r\nother,");
        assertThat(viewer.get("/api/v1/nodes/n1", Map.of("Accept", "text/csv")).status())
                .isEqualTo(406);
    }

    @Test
    void whoHasTheAnswerAlreadyIsToldSo() {
        Answer first = viewer.get("/api/v1/pools/other");
        String tag = first.header("ETag");
        Map<String, String> have = Map.of("If-None-Match", tag);

        Answer again = viewer.get("/api/v1/pools/other", have);

        assertThat(tag).startsWith("W/\"");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.header("Coil-As-Of")).isNotEmpty();
        assertThat(viewer.get("/api/v1/pools/other?fields=pool.name", have).status())
                .isEqualTo(200);
        Answer list = viewer.get("/api/v1/pools");
        assertThat(
                        viewer.get("/api/v1/pools", Map.of("If-None-Match", list.header("ETag")))
                                .status())
                .isEqualTo(304);
        Answer csv =
                viewer.get(
                        "/api/v1/pools",
                        Map.of("If-None-Match", list.header("ETag"), "Accept", "text/csv"));
        assertThat(csv.status()).isEqualTo(200);
        assertThat(csv.header("Vary")).contains("Accept");
    }

    @Test
    void theTagIsAnotherOneWhenSomethingHasChanged() {
        String path = "/api/v1/blocks?pool=other";
        Map<String, String> have = Map.of("If-None-Match", viewer.get(path).header("ETag"));
        assertThat(viewer.get(path, have).status()).isEqualTo(304);

        new World(fixture.api).block("other", 3, "n1", "10.2.0.3/32");

        await().until(() -> viewer.get(path, have).status() == 200);
        fixture.api.delete(Kinds.BLOCKS, null, "other-3", Preconditions.NONE);
        await().until(() -> viewer.get(path, have).status() == 304);
    }

    @Test
    void everyAnswerSaysHowOldItIs() {
        for (String path :
                new String[] {
                    "nodes", "nodes/n1", "pools/default", "blocks/default-0", "findings"
                }) {
            Answer answer = viewer.get("/api/v1/" + path);

            assertThat(answer.header("Coil-As-Of")).as(path).isNotEmpty();
            assertThat(answer.header("Age")).as(path).isNotEmpty();
            assertThat(answer.json().at("/asOf").asString()).isEqualTo(answer.header("Coil-As-Of"));
            assertThat(answer.json().at("/ageSeconds").isNumber()).isTrue();
        }
    }

    @Test
    void headIsGetWithoutTheBody() {
        Answer answer = viewer.head("/api/v1/nodes");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("ETag")).isEqualTo(viewer.get("/api/v1/nodes").header("ETag"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | /api/v1/nodes         | application/xml  | 406
                    GET    | /api/v1/nothing       | application/json | 404
                    PUT    | /api/v1/nodes         | application/json | 405
                    GET    | /api/v1/nodes/a%2Fb   | application/json | 400
                    GET    | /api/v1/nodes/%00     | application/json | 400
                    GET    | /api/v1/blocks/..;/x  | application/json | 400
                    """)
    void errorsAreProblemDetails(String method, String path, String accept, int status) {
        Answer answer = fixture.operator().send(method, path, Map.of("Accept", accept));

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().at("/status").asInt()).isEqualTo(status);
        assertThat(answer.json().at("/detail").asString()).isNotEmpty();
        if (status == 405) {
            assertThat(answer.header("Allow")).contains("GET");
        }
    }

    @Test
    void moreThanCanBeServedAtOnceAreToldToComeAgain() throws Exception {
        try (AdminFixture one = new AdminFixture(Map.of("coil.admin.concurrent-requests", "1"))) {
            Client client = one.viewer();
            await().until(() -> client.get("/api/v1/nodes").status() == 200);
            // One whose token has to be asked about, which takes its time.
            Client slow = one.program(one.server.token("slow"));
            one.server
                    .faults()
                    .add(
                            Scope.any().onResource("tokenreviews"),
                            Effect.latency(Duration.ofSeconds(3)));
            Thread waits = Thread.ofVirtual().start(() -> untilTaken(slow));

            await().until(() -> client.get("/api/v1/nodes").status() == 429);

            Answer refused = client.get("/api/v1/nodes");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.json().at("/detail").asString()).contains("Nothing has been done");
            one.server.faults().clear();
            waits.join();
            await().until(() -> client.get("/api/v1/nodes").status() == 200);
        }
    }

    private static void untilTaken(Client client) {
        while (client.get("/api/v1/nodes").status() == 429) {
            Thread.onSpinWait();
        }
    }
}
