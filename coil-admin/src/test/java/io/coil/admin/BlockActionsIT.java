package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A block is returned, drained, released by force; what cannot be is refused with the reason. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlockActionsIT {
    private static final String REASON = "{\"reason\":\"test\"}";

    private AdminFixture fixture;
    private World world;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        world = new World(fixture.api);
        world.node("n1");
        world.node("dead");
        world.notReady("dead", Duration.ofHours(1));
        world.pool("default", 1, "10.1.0.0/27");
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private AddressBlock block(int index, String node) {
        AddressBlock block = world.block("default", index, node, "10.1.0." + 2 * index + "/31");
        await().until(
                        () ->
                                fixture.operator().get("/api/v1/blocks/default-" + index).status()
                                        == 200);
        return block;
    }

    private List<GarbageCollection> collections() {
        return fixture.api.list(Kinds.COLLECTIONS, Selection.ALL).items();
    }

    private AddressBlock live(String name) {
        return fixture.api.get(Kinds.BLOCKS, null, name).orElseThrow();
    }

    private Answer post(String path, String body) {
        return fixture.operator().postJson("/api/v1/blocks/" + path, body);
    }

    @Test
    @DisplayName("H4: an empty block is returned by a run that names it, and acts")
    void h4_empty() {
        block(0, "n1");

        Answer answer = post("default-0/return", REASON);

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.json().at("/result").asString()).isEqualTo("going");
        String run = answer.json().at("/collection").asString();
        assertThat(answer.header("Location")).isEqualTo("/api/v1/collections/" + run);
        GarbageCollection.Spec spec =
                Objects.requireNonNull(
                        fixture.api.get(Kinds.COLLECTIONS, null, run).orElseThrow().spec());
        assertThat(spec.blocks()).containsExactly("default-0");
        assertThat(spec.planOnly()).isFalse();
        assertThat(spec.reason()).isEqualTo("test");
    }

    @Test
    @DisplayName("H4: a block in use is not returned, and the pods are named")
    void h4_inUse() {
        world.report("n1", block(1, "n1"), "2", 2, null);
        world.pod("web-1", "n1", "10.1.0.2");
        await().until(
                        () ->
                                fixture.operator()
                                        .get("/api/v1/addresses/10.1.0.2")
                                        .body()
                                        .contains("web-1"));
        int before = collections().size();

        Answer answer = post("default-1/return", REASON);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/title").asString()).isEqualTo("Block default-1 is in use");
        assertThat(answer.json().at("/detail").asString())
                .contains("2 addresses are in use, by default/web-1 (10.1.0.2)")
                .contains("of 1 no pod is known")
                .contains("Nothing has been done");
        assertThat(collections()).hasSize(before);
    }

    @Test
    @DisplayName("H4: a block that has gone already was returned, and that is said")
    void h4_gone() {
        Answer answer = post("default-9/return", REASON);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/result").asString()).isEqualTo("gone");
        assertThat(answer.json().at("/message").asString()).contains("it has gone back");
        assertThat(post("default-99/return", REASON).status()).isEqualTo(404);
        assertThat(post("nonsense/return", REASON).status()).isEqualTo(404);
    }

    @Test
    void theSameKeyReturnsOnce() {
        block(2, "n1");
        Map<String, String> key = Map.of("Idempotency-Key", "k-return");
        String path = "/api/v1/blocks/default-2/return";
        Client operator = fixture.operator();

        Answer first = operator.post(path, "application/json", REASON, key);
        fixture.api.delete(Kinds.BLOCKS, null, "default-2", Preconditions.NONE);
        await().until(() -> operator.get("/api/v1/blocks/default-2").status() == 404);
        Answer second = operator.post(path, "application/json", REASON, key);

        assertThat(first.status()).isEqualTo(202);
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
    }

    @Test
    @DisplayName("H4: by force, refused for a live node with the reason")
    void h4_forceOnALiveNode() {
        AddressBlock block = block(3, "n1");

        Answer answer =
                post(
                        "default-3/release",
                        "{\"confirm\":\"default-3\",\"fenced\":true,\"reason\":\"test\"}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/title").asString()).isEqualTo("Node n1 is alive");
        assertThat(answer.json().at("/detail").asString())
                .contains("It is Ready, so its agent gives the block back")
                .contains("Nothing has been done");
        assertThat(Meta.version(live("default-3").metadata()))
                .isEqualTo(Meta.version(block.metadata()));
    }

    @Test
    @DisplayName("H4: by force, done for a dead node, after confirmation, with the reason kept")
    void h4_forceOnADeadNode() {
        String uid = Meta.uid(block(4, "dead").metadata());

        Answer unconfirmed = post("default-4/release", "{\"reason\":\"burnt\"}");
        assertThat(unconfirmed.status()).isEqualTo(422);
        assertThat(unconfirmed.body())
                .contains("type the name of the block, default-4")
                .contains("the machine is off or cut from the network");
        assertThat(live("default-4").metadata().getAnnotations()).isNullOrEmpty();

        keep("default-4");
        Answer answer =
                post(
                        "default-4/release",
                        "{\"confirm\":\"default-4\",\"fenced\":true,\"reason\":\"burnt; twice\"}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        AddressBlock asked = live("default-4");
        assertThat(Meta.annotation(asked.metadata(), Names.FORCE)).isEqualTo(uid + ";burnt; twice");
        assertThat(Meta.beingDeleted(asked.metadata())).isTrue();
        assertThat(page("/blocks/default-4"))
                .contains("Somebody has asked to release it by force")
                .contains("burnt; twice");
        letGo("default-4");
    }

    /** As the controller's finalizer does. */
    private void keep(String block) {
        fixture.api.patch(
                Kinds.BLOCKS,
                null,
                block,
                Preconditions.NONE,
                "{\"metadata\":{\"finalizers\":[\"" + Names.FINALIZER + "\"]}}");
    }

    private void letGo(String block) {
        fixture.api.patch(
                Kinds.BLOCKS,
                null,
                block,
                Preconditions.NONE,
                "{\"metadata\":{\"finalizers\":null}}");
    }

    private String page(String path) {
        return fixture.browser(fixture.server.adminToken()).get(path).body();
    }

    @Test
    void aNodeThatHasNotBeenReadyForAMomentIsNotDead() {
        world.node("dying");
        world.notReady("dying", Duration.ofSeconds(20));
        block(5, "dying");

        Answer answer =
                post(
                        "default-5/release",
                        "{\"confirm\":\"default-5\",\"fenced\":true,\"reason\":\"test\"}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("has been not ready for", "send this again in");
        assertThat(Meta.beingDeleted(live("default-5").metadata())).isFalse();
    }

    @Test
    void aFormReleasesAndItsTwinDoesNothing() {
        AddressBlock block = block(6, "dead");
        Client browser = fixture.browser(fixture.server.adminToken());
        await().until(() -> browser.get("/blocks/default-6").body().contains("node not ready"));
        Answer page = browser.get("/blocks/default-6");
        assertThat(page.body()).contains("Release default-6 by force");
        page.page();
        Map<String, String> form =
                Map.of(
                        "_csrf", page.csrf(),
                        "uid", Meta.uid(block.metadata()),
                        "block", "default-6",
                        "fenced", "true",
                        "reason", "burnt");

        Answer wrong =
                browser.postForm(
                        "/blocks/default-6/release",
                        Map.of("_csrf", page.csrf(), "block", "other", "reason", "<i>burnt</i>"));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.body())
                .contains("type the name of the block, default-6", "&lt;i&gt;burnt")
                .doesNotContain("<i>burnt");
        wrong.page();
        Answer first = browser.postForm("/blocks/default-6/release", form);
        Answer second = browser.postForm("/blocks/default-6/release", form);

        assertThat(first.status()).isEqualTo(302);
        assertThat(first.header("Location")).isEqualTo("/pools/default");
        assertThat(second.status()).isEqualTo(302);
        assertThat(browser.get("/pools/default").body()).contains("default-6");
        assertThat(fixture.api.get(Kinds.BLOCKS, null, "default-6")).isEmpty();
    }

    @Test
    void aBlockDrainsAndThatIsEnded() {
        block(7, "n1");

        Answer drained = post("default-7/drain", REASON);
        Answer again = post("default-7/drain", REASON);

        assertThat(drained.status()).as(drained.body()).isEqualTo(200);
        assertThat(drained.json().at("/result").asString()).isEqualTo("done");
        assertThat(again.json().at("/result").asString()).isEqualTo("already");
        assertThat(Meta.annotation(live("default-7").metadata(), Names.DRAIN)).isEqualTo("true");
        assertThat(page("/blocks/default-7"))
                .contains("This block drains", "“test”", "End the drain");

        Client browser = fixture.browser(fixture.server.adminToken());
        String csrf = browser.get("/blocks/default-7").csrf();
        Answer ended =
                browser.postForm(
                        "/blocks/default-7/drain",
                        Map.of("_csrf", csrf, "drain", "false", "reason", "done with it"));
        assertThat(ended.status()).isEqualTo(302);
        assertThat(browser.get("/blocks/default-7").body()).contains("does not drain");
        assertThat(live("default-7").metadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void aReturnByFormIsOneCollectionHoweverOftenItIsSent() {
        AddressBlock block = block(8, "n1");
        Client browser = fixture.browser(fixture.server.adminToken());
        Map<String, String> form =
                Map.of(
                        "_csrf",
                        browser.get("/blocks/default-8").csrf(),
                        "uid",
                        Meta.uid(block.metadata()),
                        "key",
                        "form-return",
                        "reason",
                        "empty");

        Answer first = browser.postForm("/blocks/default-8/return", form);
        Answer second = browser.postForm("/blocks/default-8/return", form);

        assertThat(first.status()).isEqualTo(302);
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(browser.get(first.header("Location")).body()).contains("gives default-8 back");
    }
}
