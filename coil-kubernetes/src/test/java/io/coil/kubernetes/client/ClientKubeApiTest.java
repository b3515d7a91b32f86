package io.coil.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

class ClientKubeApiTest {
    private static final String BLOCK =
            """
            {"apiVersion":"coil.cybozu.com/v2","kind":"AddressBlock",
             "metadata":{"name":"default-3","uid":"u3","resourceVersion":"7","generation":1,
               "creationTimestamp":"2026-01-02T03:04:05Z","somethingNew":{"a":1},
               "managedFields":[{"manager":"x"}],
               "labels":{"coil.cybozu.com/pool":"default","coil.cybozu.com/node":"n1"}},
             "index":3,"ipv4":"10.1.0.6/31","another":true}""";

    private final ScriptedServer server = new ScriptedServer();
    private final ClientKubeApi api = ClientKubeApi.create(server.settings());

    @AfterEach
    void stop() {
        api.close();
        server.close();
    }

    @Test
    void whatTheServerWarnsOfIsHandedOn() {
        List<String> warnings = new ArrayList<>();
        try (ClientKubeApi warned = ClientKubeApi.create(server.settings(), warnings::add)) {
            server.answer(
                    exchange -> {
                        exchange.getResponseHeaders()
                                .add("Warning", "299 - \"one \\\"quoted\\\"\", 299 - \"two, too\"");
                        exchange.getResponseHeaders().add("Warning", "299 - \"three\"");
                        ScriptedServer.send(exchange, 200, BLOCK);
                    });

            assertThat(warned.get(Kinds.BLOCKS, null, "default-3")).isPresent();
        }
        assertThat(warnings).containsExactly("one \"quoted\"", "two, too", "three");
    }

    @Test
    void aReadSaysWhatTheServerSaidAndMindsNoFieldThatItDoesNotKnow() {
        server.answer(200, BLOCK);

        AddressBlock block = api.get(Kinds.BLOCKS, null, "default-3").orElseThrow();

        assertThat(block.index()).isEqualTo(3);
        assertThat(block.ipv4()).isEqualTo("10.1.0.6/31");
        assertThat(block.ipv6()).isNull();
        assertThat(block.node()).isEqualTo("n1");
        assertThat(block.metadata().getManagedFields()).isNullOrEmpty();
        assertThat(block.metadata().getCreationTimestamp())
                .isEqualTo(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
        assertThat(server.asked.getFirst().path())
                .isEqualTo("/apis/coil.cybozu.com/v2/addressblocks/default-3");
    }

    @Test
    void anObjectThatIsNotThereIsEmpty() {
        server.answer(404, notFound("addressblocks", "default-3"));

        assertThat(api.get(Kinds.BLOCKS, null, "default-3")).isEmpty();
    }

    @Test
    void aPathThatIsNotServedIsNoMissingObject() {
        server.answer(404, "404 page not found\n");

        ApiFailure failure =
                catchThrowableOfType(
                        ApiFailure.class, () -> api.get(Kinds.BLOCKS, null, "default-3"));

        assertThat(failure).isInstanceOf(ApiFailure.Transient.class);
        assertThat(failure.reason()).isEqualTo(ApiFailure.NO_SUCH_RESOURCE);
    }

    @Test
    void aListIsReadPageByPageAndItsItemsSayWhatTheyAre() {
        String item = "{\"metadata\":{\"name\":\"p-%d\"},\"index\":%d}";
        server.answer(
                200,
                "{\"items\":[%s],\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"c/1=\"}}"
                        .formatted(item.formatted(0, 0)));
        server.answer(
                200,
                "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"\"},\"items\":[%s]}"
                        .formatted(item.formatted(1, 1)));

        var listing = api.list(Kinds.BLOCKS, Selection.labelled(Names.NODE, "n1"));

        assertThat(listing.resourceVersion()).isEqualTo("9");
        assertThat(listing.items())
                .extracting(AddressBlock::kind, AddressBlock::apiVersion, AddressBlock::index)
                .containsExactly(
                        tuple("AddressBlock", Names.COIL_API, 0),
                        tuple("AddressBlock", Names.COIL_API, 1));
        assertThat(server.asked.getFirst().query())
                .contains("limit=500", "labelSelector=coil.cybozu.com/node=n1")
                .doesNotContain("resourceVersion");
        assertThat(server.asked.get(1).query()).contains("continue=c/1=");
    }

    @Test
    void aListWhosePageExpiredIsBegunAnewAndNamesNothingTwice() {
        String page = "{\"items\":[{\"metadata\":{\"name\":\"%s\"}}],\"metadata\":%s}";
        server.answer(200, page.formatted("old", "{\"resourceVersion\":\"9\",\"continue\":\"x\"}"));
        server.answer(410, status(410, "Expired", "too old", "{}"));
        server.answer(200, page.formatted("new", "{\"resourceVersion\":\"12\"}"));

        var listing = api.list(Kinds.NODES, Selection.ALL);

        assertThat(listing.resourceVersion()).isEqualTo("12");
        assertThat(listing.items()).extracting(n -> n.getMetadata().getName()).containsOnly("new");
        assertThat(listing.items().getFirst().getKind()).isEqualTo("Node");
    }

    @Test
    void aListWhosePageExpiredWhileItsItemsAreHandedOutIsStale() {
        server.answer(410, status(410, "Expired", "too old", "{}"));

        List<Object> handed = new ArrayList<>();
        ApiFailure.Stale failure =
                catchThrowableOfType(
                        ApiFailure.Stale.class,
                        () -> api.list(Kinds.NODES, Selection.ALL, handed::add));

        assertThat(failure.expired()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "429, Transient, TooManyRequests",
        "500, Transient, InternalError",
        "503, Transient, ServiceUnavailable",
        "504, Transient, Timeout",
        "409, Stale, Conflict",
        "409, Stale, AlreadyExists",
        "410, Stale, Expired",
        "400, Rejected, BadRequest",
        "401, Rejected, Unauthorized",
        "403, Rejected, Forbidden",
        "422, Rejected, Invalid",
    })
    void failuresAreOfThreeKinds(int code, String kind, String reason) {
        server.answer(code, status(code, reason, "because", "{}"));

        ApiFailure failure =
                catchThrowableOfType(
                        ApiFailure.class, () -> api.create(Kinds.BLOCKS, block("default-3")));

        assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure).hasMessageContaining("because").hasMessageContaining("POST");
    }

    @Test
    void whatTheServerWantsUsToWaitIsKnown() {
        server.answer(
                exchange -> {
                    exchange.getResponseHeaders().add("Retry-After", "7");
                    ScriptedServer.send(exchange, 429, "slow down");
                });

        ApiFailure.Transient failure =
                catchThrowableOfType(
                        ApiFailure.Transient.class, () -> api.get(Kinds.BLOCKS, null, "default-3"));

        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(failure).hasMessageContaining("slow down");
    }

    @Test
    void aLostReplyIsTransientAndTheWriteIsSentOnce() {
        server.answer(exchange -> exchange.close());

        assertThatThrownBy(() -> api.create(Kinds.BLOCKS, block("default-3")))
                .isInstanceOf(ApiFailure.Transient.class);

        assertThat(server.asked).hasSize(1);
    }

    @Test
    void anotherUidThanThePatchAsksForIsAConflict() {
        server.answer(
                422,
                status(
                        422,
                        "Invalid",
                        "field is immutable",
                        "{\"name\":\"a\",\"causes\":[{\"field\":\"metadata.uid\"}]}"));

        ApiFailure.Stale failure =
                catchThrowableOfType(
                        ApiFailure.Stale.class,
                        () ->
                                api.patch(
                                        Kinds.BLOCKS,
                                        null,
                                        "default-3",
                                        Preconditions.uid("u3"),
                                        "{\"metadata\":{\"finalizers\":null}}"));

        assertThat(failure.code()).isEqualTo(409);
        assertThat(server.asked.getFirst().type()).startsWith("application/merge-patch+json");
        assertThat(server.asked.getFirst().body())
                .isEqualTo("{\"metadata\":{\"finalizers\":null,\"uid\":\"u3\"}}");
    }

    @Test
    void aDeletionCarriesItsPreconditions() {
        server.answer(200, status(200, "", "", "{}"));

        api.delete(Kinds.BLOCKS, null, "default-3", new Preconditions("u3", "7"));

        assertThat(server.asked.getFirst().body())
                .contains("\"preconditions\":{\"uid\":\"u3\",\"resourceVersion\":\"7\"}")
                .contains("\"propagationPolicy\":\"Background\"");
    }

    @Test
    void aStatusThatIsNotServedIsToldFromAnObjectThatIsGone() {
        AddressPool pool =
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name("default").uid("p1").resourceVersion("3"),
                        null,
                        null);
        server.answer(404, notFound("addresspools", "default"));
        server.answer(200, Json.write(pool));
        server.answer(404, notFound("addresspools", "default"));
        server.answer(404, notFound("addresspools", "default"));

        ApiFailure.Stale first =
                catchThrowableOfType(
                        ApiFailure.Stale.class, () -> api.replaceStatus(Kinds.POOLS, pool));
        ApiFailure.Stale second =
                catchThrowableOfType(
                        ApiFailure.Stale.class, () -> api.replaceStatus(Kinds.POOLS, pool));

        assertThat(first.statusMissing()).isTrue();
        assertThat(first.notFound()).isFalse();
        assertThat(second.statusMissing()).isFalse();
        assertThat(second.notFound()).isTrue();
    }

    @Test
    void timesAreWrittenAsKubernetesMicroTime() {
        server.answer(exchange -> ScriptedServer.send(exchange, 201, "{\"metadata\":{}}"));
        V1Lease lease =
                new V1Lease()
                        .metadata(new V1ObjectMeta().namespace("kube-system").name("l"))
                        .spec(
                                new V1LeaseSpec()
                                        .renewTime(
                                                OffsetDateTime.parse("2026-01-02T05:04:05+02:00")));

        api.create(Kinds.LEASES, lease);

        assertThat(server.asked.getFirst().path())
                .isEqualTo("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
        assertThat(server.asked.getFirst().body())
                .contains("\"renewTime\":\"2026-01-02T03:04:05.000000Z\"")
                .contains("\"kind\":\"Lease\"");
    }

    @Test
    void aCallEndsWhenItsTaskIsStopped() throws Exception {
        server.answer(exchange -> {});
        List<ApiFailure> failures = new ArrayList<>();
        Thread task =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    ApiFailure failure =
                                            catchThrowableOfType(
                                                    ApiFailure.class,
                                                    () -> api.get(Kinds.BLOCKS, null, "default-3"));
                                    failures.add(failure);
                                });
        await().until(() -> !server.asked.isEmpty());

        task.interrupt();

        assertThat(task.join(Duration.ofSeconds(5))).isTrue();
        assertThat(failures.getFirst().reason()).isEqualTo(ApiFailure.INTERRUPTED);
    }

    private static AddressBlock block(String name) {
        return new AddressBlock(
                Names.COIL_API,
                "AddressBlock",
                new V1ObjectMeta().name(name),
                3,
                "10.1.0.6/31",
                null);
    }

    private static String notFound(String resource, String name) {
        String details = "{\"name\":\"%s\",\"kind\":\"%s\"}".formatted(name, resource);
        return status(404, "NotFound", "not found", details);
    }

    private static String status(int code, String reason, String message, String details) {
        return """
               {"kind":"Status","apiVersion":"v1","code":%d,"reason":"%s","message":"%s",
               "details":%s}"""
                .formatted(code, reason, message, details);
    }
}
