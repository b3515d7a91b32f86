package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.admin.history.AuditEntry;
import io.coil.admin.history.AuditLog;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;

/** What was, as people and programs see it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryIT {
    private AdminFixture fixture;
    private World world;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        world.block("default", 0, "n1", "10.1.0.0/31");
        await().until(
                        () ->
                                history("/api/v1/blocks/default-0/history")
                                        .at("/items/0/node")
                                        .asString()
                                        .equals("n1"));
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private JsonNode history(String path) {
        return fixture.viewer().get(path).json();
    }

    private String page(String path) {
        Answer answer = fixture.browser(fixture.server.viewerToken()).get(path);
        assertThat(answer.status()).isEqualTo(200);
        answer.page();
        return answer.body();
    }

    private void until(String path, String pointer, String value) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> history(path).at(pointer).asString().equals(value));
    }

    @Test
    @DisplayName("H10: who had the address then; H6: and the other way")
    void h10_whoHadTheAddressThen() {
        String all = "/api/v1/addresses/10.1.0.0/history";
        world.pod("p1", "n1", "10.1.0.0");
        until(all, "/holders/0/pod", "p1");
        Instant then = Instant.parse(history(all).at("/holders/0/beganAt").asString());
        // Known as soon as something later has been seen.
        await().until(() -> Instant.now().isAfter(then.plusSeconds(8)));
        world.finish("p1");
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> !history(all).at("/holders/0/endedAt").isNull());
        Instant free = Instant.parse(history(all).at("/holders/0/endedAt").asString());
        await().until(() -> Instant.now().isAfter(free.plusSeconds(1)));
        world.pod("p2", "n1", "10.1.0.0");
        until(all, "/holders/0/pod", "p2");

        JsonNode answer = history("/api/v1/addresses/10.1.0.0?at=" + then.plusMillis(1));
        assertThat(answer.at("/holders").size()).isEqualTo(1);
        assertThat(answer.at("/holders/0/holding/pod").asString()).isEqualTo("p1");
        assertThat(answer.at("/holders/0/certain").asBoolean()).isTrue();
        assertThat(history("/api/v1/addresses/10.1.0.0?at=" + free.plusMillis(1)).at("/holders"))
                .noneMatch(h -> h.at("/certain").asBoolean());
        JsonNode pod = history("/api/v1/addresses?pod=default/p1").at("/items/0");
        assertThat(pod.at("/address").asString()).isEqualTo("10.1.0.0");
        assertThat(pod.at("/block").asString()).isEqualTo("default-0");
        assertThat(pod.at("/node").asString()).isEqualTo("n1");
        assertThat(page("/search?q=10.1.0.0&at=" + then.plusMillis(1)))
                .contains("Pod default/p1 on n1 had it then.")
                .contains(">default/p1</th>", ">default/p2</th>");
        assertThat(page("/search?q=default/p1"))
                .contains("Addresses that pods of the name default/p1");
        assertThat(page("/search?q=10.1.0.0&at=soon")).contains("is no time");
        assertThat(fixture.viewer().get("/api/v1/addresses/10.1.0.0?at=soon").status())
                .isEqualTo(400);
    }

    @Test
    void aBlockThatIsGoneStillHasAPage() {
        world.block("default", 1, "n1", "10.1.0.2/31");
        until("/api/v1/blocks/default-1/history", "/items/0/name", "default-1");
        fixture.api.delete(Kinds.BLOCKS, null, "default-1", Preconditions.NONE);
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(
                        () ->
                                !history("/api/v1/blocks/default-1/history")
                                        .at("/items/0/goneAt")
                                        .isNull());

        assertThat(page("/blocks/default-1"))
                .contains("No node holds it now", "last seen unreported");
        assertThat(page("/blocks/default-0")).contains(">granted</td>");
        assertThat(page("/nodes/n1")).contains("/blocks/default-1", ">gone</td>");
        assertThat(fixture.browser(fixture.server.viewerToken()).get("/blocks/default-3").status())
                .isEqualTo(404);
    }

    @Test
    void aCollectionThatIsGoneStillHasAPage() {
        Answer started = fixture.operator().postJson("/api/v1/collections", "{\"reason\":\"why\"}");
        String name = started.json().at("/name").asString();
        world.finishPlan(name);
        until("/api/v1/collections/" + name + "/history", "/phase", "COMPLETED");
        fixture.api.delete(Kinds.COLLECTIONS, null, name, Preconditions.NONE);

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(page("/collections/" + name))
                                        .contains("Its object is gone", ">why</dd>"));
    }

    @Test
    void theAuditSaysWhoDidWhat() {
        fixture.admin
                .getBean(AuditLog.class)
                .record(
                        new AuditEntry(
                                Instant.now(),
                                "ann",
                                "release",
                                "block",
                                "default-7",
                                "rack <b>burnt</b>",
                                AuditEntry.Result.REFUSED,
                                "its node is alive"));
        until("/api/v1/audit?on=default-7", "/items/0/caller", "ann");
        String all = page("/audit");
        assertThat(all).contains("rack &lt;b&gt;burnt&lt;/b&gt;", "its node is alive", ">refused<");
        assertThat(page("/audit?who=bob")).contains("No entry matches");
        assertThat(page("/audit?what=release&on=default-7&from=2020-01-01&to=2099-01-01"))
                .contains("default-7");
        assertThat(fixture.viewer().get("/api/v1/audit?continue=x").status()).isEqualTo(400);
        assertThat(fixture.viewer().get("/api/v1/audit?from=yesterday").status()).isEqualTo(400);
    }

    @Test
    void whatIsDoneByOtherMeansIsObserved() {
        world.pool("other", 0, "10.9.0.0/30");
        until("/api/v1/audit?on=other&what=create", "/items/0/result", "observed");
        assertThat(history("/api/v1/audit?on=other&what=create").at("/items/0/caller").isNull())
                .isTrue();
        assertThat(page("/audit?on=other")).contains("somebody, through the Kubernetes API");
        assertThat(history("/api/v1/pools/default/history").at("/pool").asString())
                .isEqualTo("default");
    }

    @Test
    void everyAnswerHasTheNameOfItsRequest() {
        Answer one = fixture.viewer().get("/api/v1/nodes");
        Answer other = fixture.viewer().get("/api/v1/nodes");

        assertThat(one.header("Coil-Request")).matches("[0-9a-f]{12}");
        assertThat(one.header("Coil-Request")).isNotEqualTo(other.header("Coil-Request"));
    }

    @Test
    void healthKnowsTheHistory() {
        String health = new Client(fixture.management, "").get("/actuator/health").body();
        assertThat(health).contains("\"history\":{", "auditEntriesLost");
    }
}
