package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Node;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Pools are made after a look at what they would be, grow, drain, are switched and deleted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolActionsIT {
    private static final String PATH = "/api/v1/pools";

    private AdminFixture fixture;
    private World world;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        world.block("default", 0, "n1", "10.1.0.0/31");
        await().until(() -> fixture.operator().get("/api/v1/blocks/default-0").status() == 200);
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private AddressPool live(String name) {
        return fixture.api.get(Kinds.POOLS, null, name).orElseThrow();
    }

    private boolean exists(String name) {
        return fixture.api.get(Kinds.POOLS, null, name).isPresent();
    }

    private static String body(String name, String ipv4) {
        return "{\"name\":\"%s\",\"blockSizeBits\":2,\"subnets\":[{\"ipv4\":\"%s\"}],\"reason\":\"test\"}"
                .formatted(name, ipv4);
    }

    @Test
    void aDryRunSaysWhatAPoolWouldBeAndMakesNone() {
        Answer fine =
                fixture.operator().postJson(PATH + "?dryRun=true", body("dry", "10.2.0.0/28"));
        Answer bad = fixture.operator().postJson(PATH + "?dryRun=true", body("dry", "10.1.0.4/30"));

        assertThat(fine.status()).as(fine.body()).isEqualTo(200);
        assertThat(fine.json().at("/allowed").asBoolean()).isTrue();
        assertThat(fine.json().at("/blocks").asInt()).isEqualTo(4);
        assertThat(fine.json().at("/addresses").asInt()).isEqualTo(16);
        assertThat(fine.json().at("/first/1/name").asString()).isEqualTo("dry-1");
        assertThat(fine.json().at("/first/1/ranges").asString()).isEqualTo("10.2.0.4/30");
        assertThat(bad.json().at("/allowed").asBoolean()).isFalse();
        assertThat(bad.json().at("/violations/0/field").asString())
                .isEqualTo("spec.subnets[0].ipv4");
        assertThat(bad.json().at("/violations/0/message").asString()).contains("the pool default");
        assertThat(exists("dry")).isFalse();
    }

    @Test
    void theSameKeyMakesOnePool() {
        Map<String, String> key = Map.of("Idempotency-Key", "pool-1");
        Client operator = fixture.operator();
        String body = body("made", "10.3.0.0/28");

        Answer first = operator.post(PATH, "application/json", body, key);
        Answer second = operator.post(PATH, "application/json", body, key);
        Answer other =
                operator.post(PATH, "application/json", body.replace("10.3.0.0", "10.3.1.0"), key);
        Answer without = operator.postJson(PATH, body);

        assertThat(first.status()).as(first.body()).isEqualTo(201);
        assertThat(first.header("Location")).isEqualTo(PATH + "/made");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.json().at("/result").asString()).isEqualTo("already");
        assertThat(other.status()).isEqualTo(409);
        assertThat(without.status()).isEqualTo(422);
        assertThat(without.body()).contains("there is a pool made");
        assertThat(Objects.requireNonNull(live("made").spec()).bits()).isEqualTo(2);
        assertThat(Meta.annotation(live("made").metadata(), Names.ASKED_BY)).isNotBlank();
    }

    @Test
    void aPoolThatBreaksARuleIsNotMade() {
        Answer answer = fixture.operator().postJson(PATH, body("bad", "10.1.0.0/24"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().at("/errors/0").asString())
                .contains("overlaps 10.1.0.0/29 of the pool default");
        assertThat(answer.json().at("/detail").asString()).contains("Nothing has been done");
        assertThat(exists("bad")).isFalse();
        assertThat(fixture.operator().postJson(PATH, "{\"reason\":\"x\"}").status()).isEqualTo(422);
    }

    @Test
    void aPoolIsMadeOnThePagesAfterALookAtIt() {
        Client browser = fixture.browser(fixture.server.adminToken());
        String subnets = "10.4.0.0/28\n10.4.1.0/28";

        Answer preview =
                browser.get("/new-pool?name=paged&bits=2&subnets=10.4.0.0/28%0A10.4.1.0/28");

        preview.page();
        assertThat(preview.body())
                .contains("paged-0", "10.4.0.0/30", "… paged-7", "Create pool paged");
        Map<String, String> form =
                Map.of(
                        "_csrf", preview.csrf(),
                        "name", "paged",
                        "bits", "2",
                        "subnets", subnets,
                        "key", "form-pool",
                        "reason", "test");
        Answer made = browser.postForm("/pools", form);
        Answer twice = browser.postForm("/pools", form);
        assertThat(made.status()).as(made.body()).isEqualTo(302);
        assertThat(made.header("Location")).isEqualTo("/pools/paged");
        assertThat(twice.status()).isEqualTo(302);
        assertThat(browser.get("/pools/paged").body()).contains("Pool paged is there");
        assertThat(Objects.requireNonNull(live("paged").spec()).entries()).hasSize(2);

        Answer refused = browser.postForm("/pools", with(form, "key", "other"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("there is a pool paged", "value=\"paged\"");
        refused.page();
    }

    private static Map<String, String> with(Map<String, String> form, String field, String value) {
        Map<String, String> changed = new HashMap<>(form);
        changed.put(field, value);
        return changed;
    }

    @Test
    void aPoolGrowsAtItsEndOnce() {
        world.pool("small", 1, "10.5.0.0/30");
        await().until(() -> fixture.operator().get(PATH + "/small").status() == 200);
        String more = "{\"subnets\":[{\"ipv4\":\"10.5.1.0/30\"}],\"reason\":\"test\"}";

        Answer dry = fixture.operator().postJson(PATH + "/small/subnets?dryRun=true", more);
        assertThat(dry.json().at("/first/0/name").asString()).isEqualTo("small-2");
        assertThat(Objects.requireNonNull(live("small").spec()).entries()).hasSize(1);
        Answer grown = fixture.operator().postJson(PATH + "/small/subnets", more);
        Answer again = fixture.operator().postJson(PATH + "/small/subnets", more);
        Answer bad =
                fixture.operator()
                        .postJson(PATH + "/small/subnets", more.replace("10.5.1.0", "10.1.0.0"));

        assertThat(grown.status()).as(grown.body()).isEqualTo(200);
        assertThat(grown.json().at("/message").asString())
                .isEqualTo("Pool small has 2 more blocks with 4 addresses.");
        assertThat(again.json().at("/result").asString()).isEqualTo("already");
        assertThat(bad.status()).isEqualTo(422);
        assertThat(Objects.requireNonNull(live("small").spec()).entries()).hasSize(2);

        Client browser = fixture.browser(fixture.server.adminToken());
        Answer page = browser.get("/pools/small/grow?subnets=10.5.2.0/30");
        page.page();
        assertThat(page.body()).contains("small-4", "Add to small");
        Map<String, String> form =
                Map.of("_csrf", page.csrf(), "subnets", "10.5.2.0/30", "reason", "test");
        assertThat(browser.postForm("/pools/small/grow", form).status()).isEqualTo(302);
        assertThat(browser.postForm("/pools/small/grow", form).status()).isEqualTo(302);
        assertThat(Objects.requireNonNull(live("small").spec()).entries()).hasSize(3);
    }

    @Test
    @DisplayName("H7: a used pool is being deleted, held by 2 blocks on n1, and never deleted")
    void h7() {
        world.pool("used", 1, "10.6.0.0/29");
        keep("used");
        world.block("used", 0, "n1", "10.6.0.0/31");
        world.block("used", 1, "n1", "10.6.0.2/31");
        world.pod("web-1", "n1", "10.6.0.0");
        await().until(() -> fixture.operator().get("/api/v1/blocks/used-1").status() == 200);
        await().until(
                        () ->
                                fixture.operator()
                                        .get("/api/v1/addresses/10.6.0.0")
                                        .body()
                                        .contains("web-1"));
        Client browser = fixture.browser(fixture.server.adminToken());
        Answer page = browser.get("/pools/used");
        String uid = Meta.uid(live("used").metadata());
        Map<String, String> form =
                Map.of("_csrf", page.csrf(), "uid", uid, "pool", "used", "reason", "old");

        Answer unconfirmed = browser.postForm("/pools/used/delete", with(form, "pool", "usde"));
        assertThat(unconfirmed.status()).isEqualTo(422);
        assertThat(unconfirmed.body()).contains("type the name of the pool, used");
        assertThat(Meta.beingDeleted(live("used").metadata())).isFalse();
        Answer first = browser.postForm("/pools/used/delete", form);
        Answer second = browser.postForm("/pools/used/delete", form);

        assertThat(first.header("Location")).isEqualTo("/pools/used");
        assertThat(second.header("Location")).isEqualTo("/pools/used");
        Answer deleting = browser.get("/pools/used");
        deleting.page();
        assertThat(deleting.body())
                .contains("Pool used is being deleted, held by 2 blocks on n1.")
                .contains("In the way of deletion", "used-0", "1 pod", "default/web-1")
                .contains("restarting this pod")
                .doesNotContain("Pool used is gone", "deleted.", "Delete pool used");
        Answer rest = fixture.operator().send("DELETE", PATH + "/used?reason=x", "text/plain", "");
        assertThat(rest.status()).isEqualTo(202);
        assertThat(rest.json().at("/result").asString()).isEqualTo("going");
        assertThat(rest.json().at("/message").asString()).contains("held by 2 blocks on n1");

        fixture.api.delete(Kinds.BLOCKS, null, "used-0", Preconditions.NONE);
        fixture.api.delete(Kinds.BLOCKS, null, "used-1", Preconditions.NONE);
        fixture.api.patch(
                Kinds.POOLS,
                null,
                "used",
                Preconditions.NONE,
                "{\"metadata\":{\"finalizers\":null}}");
        await().until(() -> browser.get("/pools/used").status() == 404);
        Answer late = browser.postForm("/pools/used/delete", form);
        assertThat(late.header("Location")).isEqualTo("/pools");
        assertThat(browser.get("/pools").body()).contains("Pool used is gone");
    }

    private void keep(String pool) {
        fixture.api.patch(
                Kinds.POOLS,
                null,
                pool,
                Preconditions.NONE,
                "{\"metadata\":{\"finalizers\":[\"" + Names.FINALIZER + "\"]}}");
    }

    @Test
    void aPoolDrainsAndThatIsEnded() {
        world.pool("drained", 1, "10.7.0.0/29");
        await().until(() -> fixture.operator().get(PATH + "/drained").status() == 200);
        String body = "{\"reason\":\"moving\"}";

        Answer drained = fixture.operator().postJson(PATH + "/drained/drain", body);
        Answer again = fixture.operator().postJson(PATH + "/drained/drain", body);

        assertThat(drained.json().at("/result").asString()).isEqualTo("done");
        assertThat(again.json().at("/result").asString()).isEqualTo("already");
        assertThat(Meta.annotation(live("drained").metadata(), Names.DRAIN)).isEqualTo("true");
        Client browser = fixture.browser(fixture.server.adminToken());
        Answer page = browser.get("/pools/drained");
        assertThat(page.body()).contains("This pool drains", "“moving”", "End the drain");
        Map<String, String> form = Map.of("_csrf", page.csrf(), "drain", "false", "reason", "x");
        assertThat(browser.postForm("/pools/drained/drain", form).status()).isEqualTo(302);
        assertThat(browser.postForm("/pools/drained/drain", form).status()).isEqualTo(302);
        assertThat(Meta.annotation(live("drained").metadata(), Names.DRAIN)).isNull();
    }

    @Test
    @DisplayName("H9: collection is switched off in a pool and on a node, and pages say by whom")
    void h9() {
        world.pool("quiet", 1, "10.8.0.0/29");
        world.node("n9");
        world.block("quiet", 0, "n9", "10.8.0.0/31");
        await().until(() -> fixture.operator().get("/api/v1/blocks/quiet-0").status() == 200);
        Client browser = fixture.browser(fixture.server.adminToken());
        Map<String, String> form =
                Map.of(
                        "_csrf",
                        browser.get("/pools/quiet").csrf(),
                        "mode",
                        "off",
                        "reason",
                        "hunting a leak");

        assertThat(browser.postForm("/pools/quiet/collection-mode", form).status()).isEqualTo(302);
        assertThat(browser.postForm("/pools/quiet/collection-mode", form).status()).isEqualTo(302);
        Answer node =
                fixture.operator()
                        .postJson(
                                "/api/v1/nodes/n9/collection-mode",
                                "{\"mode\":\"manual\",\"reason\":\"x\"}");

        assertThat(node.status()).as(node.body()).isEqualTo(200);
        Answer page = browser.get("/pools/quiet");
        page.page();
        assertThat(page.body())
                .contains("Collection is off in this pool", "by ", "“hunting a leak”")
                .contains("on demand neither");
        assertThat(browser.get("/blocks/quiet-0").body())
                .contains("Collection is off in pool quiet", "“hunting a leak”");
        assertThat(browser.get("/nodes/n9").body()).contains("Collection is manual on this node");
        assertThat(fixture.operator().get("/api/v1/blocks/quiet-0").json().at("/collection"))
                .hasToString("\"off\"");
        Answer refused =
                fixture.operator()
                        .postJson("/api/v1/blocks/quiet-0/return", "{\"reason\":\"test\"}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body()).contains("Collection is off here");
        assertThat(
                        fixture.operator()
                                .postJson(
                                        "/api/v1/nodes/n9/collection-mode",
                                        "{\"mode\":\"never\",\"reason\":\"x\"}")
                                .status())
                .isEqualTo(422);

        Answer ended =
                fixture.operator()
                        .postJson(
                                "/api/v1/nodes/n9/collection-mode",
                                "{\"mode\":null,\"reason\":\"x\"}");
        assertThat(ended.status()).isEqualTo(200);
        V1Node live = fixture.api.get(Kinds.NODES, null, "n9").orElseThrow();
        assertThat(live.getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void aReaderSeesNoButton() {
        Client reader = fixture.browser(fixture.server.viewerToken());
        for (String path :
                new String[] {
                    "/pools", "/pools/default", "/nodes/n1", "/nodes", "/blocks/default-0"
                }) {
            String page = reader.get(path).body();
            assertThat(page.replaceAll("(?s)<header>.*?</header>", ""))
                    .as(path)
                    .doesNotContain(
                            "method=\"post\"", "type=\"checkbox\"", "New pool", "id=\"collect\"");
        }
        assertThat(reader.get("/new-pool").status()).isEqualTo(403);
        assertThat(reader.get("/pools/default/grow").status()).isEqualTo(403);
    }

    @Test
    void rowsThatAreChosenComeToTheFormOfCollections() {
        Client browser = fixture.browser(fixture.server.adminToken());

        assertThat(browser.get("/nodes").body()).contains("type=\"checkbox\"", "value=\"n1\"");
        assertThat(browser.get("/collections?nodes=n1&nodes=n9&pools=default").body())
                .contains("value=\"n1,n9\"", "value=\"default\"");
    }
}
