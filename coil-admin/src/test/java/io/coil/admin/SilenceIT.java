package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;

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

    private static int age(AdminFixture fixture) {
        String body = new Client(fixture.management, "").get("/actuator/health").body();
        String seen = body.replaceAll("(?s).*API last seen (\\d+).*", "$1");
        return Integer.parseInt(seen);
    }
}
