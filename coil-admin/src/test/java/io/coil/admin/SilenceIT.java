package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** The Kubernetes API goes away while people look. */
class SilenceIT {

    @Test
    void pagesGoOnWithTheirAgeAndNothingIsStarted() {
        try (AdminFixture fixture = new AdminFixture()) {
            World world = new World(fixture.api);
            world.node("n1");
            world.pool("default", 1, "10.1.0.0/29");
            Client browser = fixture.browser(fixture.server.adminToken());
            await().until(() -> browser.get("/nodes").body().contains(">n1<"));
            String csrf = browser.get("/collections").csrf();

            // when the API is gone
            fixture.server.close();

            await().atMost(Duration.ofSeconds(20)).until(() -> age(fixture) > 5);
            Answer page = browser.get("/nodes");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).contains(">n1<");
            Answer start = browser.postForm("/collections", Map.of("_csrf", csrf, "reason", "x"));
            assertThat(start.status()).isEqualTo(503);
            assertThat(start.body()).contains("The Kubernetes API is not answering");
            start.page();
        }
    }

    @Test
    void anApiThatWasAwayForAMinuteIsBackWithinFiveSeconds() {
        LaterTime time = new LaterTime();
        try (AdminFixture fixture = new AdminFixture(Map.of(), time)) {
            World world = new World(fixture.api);
            world.node("n1");
            world.pool("default", 1, "10.1.0.0/29");
            Client browser = fixture.browser(fixture.server.adminToken());
            await().until(() -> browser.get("/pools/default").body().contains("10.1.0.0/29"));
            String csrf = browser.get("/pools/default").csrf();
            String drain = "/api/v1/pools/default/drain";
            Map<String, String> form = Map.of("_csrf", csrf, "reason", "x");

            // when it is away for a minute
            fixture.server.faults().add(Scope.any(), new Effect.Partition());
            time.jump(Duration.ofSeconds(60));

            Answer page = browser.get("/pools/default");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body())
                    .contains("10.1.0.0/29", "class=\"asof stale\"")
                    .containsPattern("<b data-age=\"6\\d\">1\u00a0min");
            Answer refused = browser.postForm("/pools/default/drain", form);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body())
                    .contains("The Kubernetes API is not answering", "Nothing has been done");
            Answer rest = fixture.operator().postJson(drain, "{\"reason\":\"x\"}");
            assertThat(rest.status()).isEqualTo(503);
            assertThat(rest.json().at("/ageSeconds").asInt()).isGreaterThan(40);

            // and it is back
            fixture.server.faults().clear();

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> !browser.get("/pools/default").body().contains("asof stale"));
            assertThat(fixture.operator().postJson(drain, "{\"reason\":\"x\"}").status())
                    .isEqualTo(200);
        }
    }

    private static int age(AdminFixture fixture) {
        String body = new Client(fixture.management, "").get("/actuator/health").body();
        String seen = body.replaceAll("(?s).*API last seen (\\d+).*", "$1");
        return Integer.parseInt(seen);
    }
}
