package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.net.URI;
import java.util.Map;

/** Who may see and do what; and what every page must hold to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessIT {
    private AdminFixture fixture;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        World world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        world.block("default", 0, "n1", "10.1.0.0/31");
        await().until(() -> fixture.operator().get("/api/v1/blocks/default-0").status() == 200);
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    private int collections() {
        return fixture.api.list(Kinds.COLLECTIONS, Selection.ALL).items().size();
    }

    @Test
    void i2_withoutATokenNothingIsShown() {
        assertThat(fixture.program("").get("/api/v1/nodes").status()).isEqualTo(401);
        assertThat(fixture.program("wrong").get("/api/v1/nodes").status()).isEqualTo(401);
        Answer page = fixture.program("").get("/nodes?only=empty");
        assertThat(page.status()).isEqualTo(302);
        assertThat(page.header("Location")).contains("/sign-in?next=%2Fnodes%3Fonly%3Dempty");
    }

    @Test
    void i2_operationNeedsATokenButForHealthAndMetrics() {
        Client nobody = new Client(fixture.management, "");
        assertThat(nobody.get("/actuator/health").status()).isEqualTo(200);
        assertThat(nobody.get("/actuator/health").body()).contains("API last seen");
        assertThat(nobody.get("/actuator/prometheus").status()).isEqualTo(200);
        assertThat(nobody.get("/actuator/blocks").status()).isEqualTo(401);
        assertThat(nobody.get("/actuator/collections").status()).isEqualTo(401);
        assertThat(nobody.get("/actuator/env").status()).isEqualTo(401);
        assertThat(nobody.get("/actuator/heapdump").status()).isEqualTo(401);
        Client viewer = new Client(fixture.management, fixture.server.viewerToken());
        assertThat(viewer.get("/actuator/blocks").body()).contains("default-0");
        assertThat(viewer.get("/actuator/collections").status()).isEqualTo(200);
        assertThat(viewer.get("/actuator/env").status()).isEqualTo(404);
    }

    @Test
    void aStrangerWithATokenMayNotLook() {
        Client stranger = fixture.program(fixture.server.token("stranger"));

        Answer answer = stranger.get("/api/v1/nodes");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("get addressblocks.coil.cybozu.com");
    }

    @Test
    void i2_aViewerSeesNoButtonAndIsRefused() {
        Client browser = fixture.browser(fixture.server.viewerToken());
        for (String path : new String[] {"/collections", "/nodes/n1", "/pools/default"}) {
            assertThat(browser.get(path).body()).doesNotContain("action=\"/collections\"");
        }
        int before = collections();

        Answer form =
                browser.postForm(
                        "/collections",
                        Map.of("_csrf", browser.get("/collections").csrf(), "reason", "x"));
        Answer rest = fixture.viewer().postJson("/api/v1/collections", "{\"reason\":\"x\"}");

        assertThat(form.status()).isEqualTo(403);
        assertThat(form.body()).contains("You may look, but not start a collection");
        assertThat(rest.status()).isEqualTo(403);
        assertThat(collections()).isEqualTo(before);
    }

    @Test
    void i2_aFormWithoutItsTokenIsRefused() {
        Client browser = fixture.browser(fixture.server.adminToken());
        int before = collections();

        Answer without = browser.postForm("/collections", Map.of("reason", "x"));
        Answer json = browser.postJson("/api/v1/collections", "{\"reason\":\"x\"}");

        assertThat(without.status()).isEqualTo(403);
        assertThat(without.body()).contains("Nothing has been done");
        assertThat(json.status()).isEqualTo(403);
        assertThat(browser.postForm("/sign-out", Map.of()).status()).isEqualTo(403);
        assertThat(collections()).isEqualTo(before);
    }

    @Test
    void aSignInLinkIsGoodOnceAndLeavesNoTokenInTheAddress() {
        URI link = AdminApplication.signInLink(fixture.admin, fixture.server.viewerToken());
        String path = link.getPath() + "?" + link.getQuery();
        assertThat(path).doesNotContain(fixture.server.viewerToken());
        Client browser = fixture.program("");

        Answer first = browser.get(path);

        assertThat(first.status()).isEqualTo(302);
        assertThat(first.header("Location")).isEqualTo("/");
        assertThat(first.header("Set-Cookie")).contains("HttpOnly", "SameSite=Lax");
        assertThat(browser.get("/nodes").status()).isEqualTo(200);
        assertThat(fixture.program("").get(path).status()).isEqualTo(401);
    }

    @Test
    void signingOutEndsTheSession() {
        Client browser = fixture.browser(fixture.server.viewerToken());
        String csrf = browser.get("/").csrf();

        assertThat(browser.postForm("/sign-out", Map.of("_csrf", csrf)).status()).isEqualTo(302);

        assertThat(browser.get("/nodes").status()).isEqualTo(302);
    }

    @Test
    void signingInNeverLeadsElsewhere() {
        Client browser = fixture.program("");
        String csrf = browser.get("/sign-in").csrf();

        Answer answer =
                browser.postForm(
                        "/sign-in",
                        Map.of(
                                "token",
                                fixture.server.viewerToken(),
                                "next",
                                "//elsewhere.example/",
                                "_csrf",
                                csrf));

        assertThat(answer.header("Location")).isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/nodes",
                "/nodes?sort=name&only=empty&pool=default&used=-50",
                "/nodes/n1",
                "/pools",
                "/pools/default",
                "/blocks/default-0",
                "/collections",
                "/search",
                "/search?q=10.1.0.0",
                "/search?q=def",
                "/audit",
                "/audit?who=x&what=drain&on=def&from=2026-01-01&to=2026-12-31&page=2",
                "/nodes/none",
                "/blocks/default-3",
                "/nowhere",
                "/sign-in"
            })
    void everyPageIsWellFormedAndHasNothingInline(String path) {
        Answer answer = fixture.browser(fixture.server.adminToken()).get(path);

        assertThat(answer.status()).isIn(200, 404);
        assertThat(answer.header("Content-Security-Policy"))
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        Document page = answer.page();
        assertThat(page.getElementsByTagName("style").getLength()).isZero();
        NodeList all = page.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            assertThat(element.hasAttribute("style")).as(element.getTagName()).isFalse();
            for (int a = 0; a < element.getAttributes().getLength(); a++) {
                assertThat(element.getAttributes().item(a).getNodeName())
                        .doesNotStartWith("on")
                        .doesNotStartWith("th:");
            }
            if (element.getTagName().equals("script")) {
                assertThat(element.getAttribute("src")).isNotEmpty();
            }
            if (element.getTagName().equals("th")) {
                assertThat(element.getAttribute("scope")).isNotEmpty();
            }
        }
        NodeList tables = page.getElementsByTagName("table");
        for (int i = 0; i < tables.getLength(); i++) {
            Element table = (Element) tables.item(i);
            assertThat(table.getElementsByTagName("caption").getLength()).isEqualTo(1);
        }
    }

    @Test
    void theDescriptionOfTheApiIsThere() {
        Answer description = fixture.viewer().get("/v3/api-docs");
        assertThat(description.json().at("/paths/~1api~1v1~1collections/post").isMissingNode())
                .isFalse();
        assertThat(description.body()).contains("Idempotency-Key").doesNotContain("\"Current\"");
        Client browser = fixture.browser(fixture.server.viewerToken());
        assertThat(browser.get("/swagger-ui").status()).isEqualTo(302);
        Answer page = browser.get("/swagger-ui/index.html");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy")).contains("'unsafe-inline'");
    }

    @Test
    void whatIsNotThereIsA404WithASentence() {
        Answer answer = fixture.viewer().get("/api/v1/nodes/n9");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().at("/title").asString()).isEqualTo("There is no node n9");
        assertThat(fixture.viewer().get("/api/v1/addresses/10.1").status()).isEqualTo(400);
        assertThat(fixture.viewer().get("/api/v1/nodes?limit=0").status()).isEqualTo(400);
        assertThat(fixture.viewer().get("/api/v1/nodes?limit=x").status()).isEqualTo(400);
        assertThat(fixture.operator().postJson("/api/v1/nodes", "{}").status()).isEqualTo(405);
    }
}
