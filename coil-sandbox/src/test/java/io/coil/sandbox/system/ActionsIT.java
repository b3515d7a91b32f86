package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.RunItem;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** What people do by REST and on the pages, with real agents and controllers. */
@ExtendWith(SharedSandbox.class)
class ActionsIT {
    private static final String WHY = "{\"reason\":\"test\"}";

    private static String name(AddressBlock block) {
        return Meta.name(block.metadata());
    }

    @Test
    @DisplayName("H3: the plan is read on its page, applied, and each item's outcome is there")
    void h3(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.annotateNode(Operator.NODE, "manual");
        operator.createBlock("test-pool", 0, "10.0.0.0/32", Operator.NODE);
        operator.createBlock("test-pool", 1, "10.0.0.1/32", Operator.NODE);
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());
        operator.soon(() -> assertThat(operator.exported(Operator.NODE)).hasSize(2));
        operator.soon(
                () ->
                        assertThat(dashboard.get("/pools/test-pool"))
                                .contains("test-pool-0", "test-pool-1"));

        String plan =
                dashboard.startByRest(
                        "{\"nodes\":[\"%s\"],\"reason\":\"test\"}".formatted(Operator.NODE));

        operator.awaitFinished(plan);
        operator.soon(
                () ->
                        assertThat(dashboard.get("/collections/" + plan))
                                .contains("surplus-block", "would be done", "Apply this plan"));
        assertThat(operator.blocksOf("test-pool")).hasSize(2);
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        String run = dashboard.startByRest("{\"plan\":\"%s\",\"reason\":\"test\"}".formatted(plan));
        assertThat(Operator.items(operator.awaitFinished(run)))
                .extracting(RunItem::outcome)
                .containsExactlyInAnyOrder(RunItem.DONE, RunItem.NO_LONGER_TRUE);
        operator.soon(
                () ->
                        assertThat(dashboard.get("/collections/" + run))
                                .contains("test-pool-0", "test-pool-1", "no longer true: kept"));
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).hasSize(1));
        operator.deletePod("test-ns", "p1");
        operator.annotateNode(Operator.NODE, null);
        operator.assertInvariants();
    }

    @Test
    @DisplayName("H4: one block by hand: empty, in use, gone; by force: a live node, a dead one")
    void h4(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.annotateNode(Operator.NODE, "manual");
        operator.createBlock("test-pool", 3, "10.0.0.3/32", Operator.NODE);
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());
        String rest = "/api/v1/blocks/test-pool-3";
        operator.soon(
                () ->
                        assertThat(dashboard.rest(rest).path("usedFrom").asString())
                                .isEqualTo("report"));

        // empty: done; gone: said
        String run = dashboard.changed("POST", rest + "/return", WHY).path("collection").asString();
        assertThat(Operator.items(operator.awaitFinished(run)))
                .singleElement()
                .satisfies(i -> assertThat(i.outcome()).isEqualTo(RunItem.DONE));
        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).isEmpty());
        operator.soon(
                () ->
                        assertThat(
                                        dashboard
                                                .changed("POST", rest + "/return", WHY)
                                                .path("result")
                                                .asString())
                                .isEqualTo("gone"));

        // in use: refused, with the pod; by force: the node lives
        operator.createPod("test-ns", "p1", Operator.NODE);
        operator.awaitReady("test-ns", "p1");
        String used = name(operator.blocksOf("test-pool").getFirst());
        operator.soon(
                () ->
                        assertThat(
                                        dashboard
                                                .change(
                                                        "POST",
                                                        "/api/v1/blocks/" + used + "/return",
                                                        WHY)
                                                .body())
                                .contains("by test-ns/p1 (10.0.0."));
        HttpResponse<String> alive = release(dashboard, used);
        assertThat(alive.statusCode()).isEqualTo(409);
        assertThat(alive.body()).contains("Node coil-worker is alive");
        assertThat(operator.isReady("test-ns", "p1")).isTrue();
        operator.deletePod("test-ns", "p1");
        operator.annotateNode(Operator.NODE, null);

        // by force: a machine that nobody hears of
        String dead = "coil-h4";
        operator.createNode(dead);
        operator.awaitNode(dead);
        operator.createPod("test-ns", "p2", dead);
        operator.awaitReady("test-ns", "p2");
        String lost = name(operator.blocksOn(dead).getFirst());
        operator.sandbox()
                .server()
                .faults()
                .add(
                        Scope.any()
                                .ofUserAgent("sandbox")
                                .onVerbs("update")
                                .onResource("nodes")
                                .named(dead),
                        Effect.unavailable());
        silence(operator, dead);
        operator.soon(
                () ->
                        assertThat(dashboard.get("/blocks/" + lost))
                                .contains("node not ready", "Release " + lost + " by force"));
        operator.soon(() -> assertThat(release(dashboard, lost).statusCode()).isIn(200, 202));
        operator.soon(() -> assertThat(operator.api().get(Kinds.BLOCKS, null, lost)).isEmpty());
        operator.deletePod("test-ns", "p2");
        operator.sandbox().server().faults().clear();
        operator.deleteNode(dead);
        operator.soon(() -> assertThat(operator.blocksOn(dead)).isEmpty());
        operator.assertInvariants();
    }

    private static HttpResponse<String> release(Dashboard dashboard, String block)
            throws Exception {
        return dashboard.change(
                "POST",
                "/api/v1/blocks/" + block + "/release",
                "{\"confirm\":\"%s\",\"fenced\":true,\"reason\":\"burnt\"}".formatted(block));
    }

    /** As the node controller does; under a name that the fault does not know. */
    private static void silence(Operator operator, String name) {
        var server = operator.sandbox().server();
        String authority = new String(server.caCertificate(), StandardCharsets.US_ASCII);
        try (ClientKubeApi api =
                ClientKubeApi.create(
                        ClientSettings.direct(
                                server.url(), server.adminToken(), authority, "node-controller"))) {
            V1Node node = api.get(Kinds.NODES, null, name).orElseThrow();
            node.getStatus()
                    .setConditions(
                            List.of(
                                    new V1NodeCondition()
                                            .type("Ready")
                                            .status("Unknown")
                                            .lastTransitionTime(
                                                    OffsetDateTime.now(ZoneOffset.UTC))));
            assertThat(api.replaceStatus(Kinds.NODES, node).getStatus().getConditions()).hasSize(1);
        }
    }

    @Test
    @DisplayName("H5: pages say who has the blocks of a pool that is exhausted, and what may leak")
    void h5(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.annotateNode(Operator.NODE, "manual");
        operator.createBlock("test-pool", 0, "10.0.0.0/32", Operator.NODE);
        operator.soon(() -> assertThat(operator.exported(Operator.NODE)).hasSize(1));
        for (String pod : List.of("p1", "p2", "p3")) {
            operator.createPod("test-ns", pod, Operator.OTHER_NODE);
            operator.awaitReady("test-ns", pod);
        }
        operator.createPod("test-ns", "p4", Operator.OTHER_NODE);
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());

        operator.soon(
                () ->
                        assertThat(dashboard.get("/pools/test-pool"))
                                .contains(
                                        "Pool test-pool has no block left",
                                        "4 of 4 blocks are granted, with 3 addresses in use",
                                        "1 leak candidate",
                                        Operator.NODE,
                                        Operator.OTHER_NODE));
        assertThat(operator.isReady("test-ns", "p4")).isFalse();

        dashboard.changed("POST", "/api/v1/blocks/test-pool-0/return", WHY);

        operator.awaitReady("test-ns", "p4");
        operator.soon(
                () -> {
                    assertThat(dashboard.get("/pools/test-pool")).contains("0 leak candidates");
                });
        for (String pod : List.of("p1", "p2", "p3", "p4")) {
            operator.deletePod("test-ns", pod);
        }
        operator.annotateNode(Operator.NODE, null);
        operator.assertInvariants();
    }

    @Test
    @DisplayName("H7: a used pool is being deleted, held by 2 blocks on one node, until they go")
    void h7(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        for (String pod : List.of("p1", "p2")) {
            operator.createPod("test-ns", pod, Operator.NODE);
            operator.awaitReady("test-ns", pod);
        }
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());
        operator.soon(
                () ->
                        assertThat(
                                        dashboard
                                                .rest("/api/v1/pools/test-pool")
                                                .at("/pool/blocks/granted")
                                                .asInt())
                                .isEqualTo(2));

        String message =
                dashboard
                        .changed("DELETE", "/api/v1/pools/test-pool?reason=test", "")
                        .path("message")
                        .asString();

        assertThat(message)
                .isEqualTo("Pool test-pool is being deleted, held by 2 blocks on coil-worker.");
        operator.soon(
                () ->
                        assertThat(dashboard.get("/pools/test-pool"))
                                .contains(message, "test-ns/p1", "restarting this pod"));
        assertThat(operator.isReady("test-ns", "p1")).isTrue();
        operator.deletePod("test-ns", "p1");
        operator.soon(
                () ->
                        assertThat(dashboard.get("/pools/test-pool"))
                                .contains("held by 1 block on coil-worker"));
        operator.deletePod("test-ns", "p2");
        operator.soon(() -> assertThat(operator.poolExists("test-pool")).isFalse());
        operator.soon(() -> assertThat(dashboard.get("/pools")).doesNotContain("test-pool"));
        operator.assertInvariants();
    }

    @Test
    @DisplayName("H9: where collection is off nothing collects, on demand neither; pages say so")
    void h9(Operator operator) throws Exception {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        Dashboard dashboard = Dashboard.signedIn(operator.sandbox());
        String mode = "/api/v1/nodes/" + Operator.NODE + "/collection-mode";
        dashboard.changed("POST", mode, "{\"mode\":\"off\",\"reason\":\"hunting\"}");

        operator.createBlock("test-pool", 0, "10.0.0.0/32", Operator.NODE);
        operator.soon(() -> assertThat(operator.exported(Operator.NODE)).hasSize(1));

        operator.soon(
                () ->
                        assertThat(dashboard.get("/nodes/" + Operator.NODE))
                                .contains("Collection is off on this node", "“hunting”"));
        operator.soon(
                () ->
                        assertThat(dashboard.get("/blocks/test-pool-0"))
                                .contains("Collection is off on node " + Operator.NODE));
        assertThat(dashboard.change("POST", "/api/v1/blocks/test-pool-0/return", WHY).statusCode())
                .isEqualTo(409);
        GarbageCollection asked =
                operator.collect(
                        "run-" + System.nanoTime(),
                        new GarbageCollection.Spec(
                                null, null, List.of("test-pool-0"), false, null, "test"));
        assertThat(Operator.items(asked)).extracting(RunItem::outcome).doesNotContain(RunItem.DONE);
        // Some periodic rounds of a second each.
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(operator.blocksOf("test-pool")).hasSize(1));

        dashboard.changed("POST", mode, "{\"mode\":null,\"reason\":\"found it\"}");

        operator.soon(() -> assertThat(operator.blocksOf("test-pool")).isEmpty());
        operator.assertInvariants();
    }
}
