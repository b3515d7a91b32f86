package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.admin.Client.Answer;
import io.coil.admin.history.AuditEntry;
import io.coil.admin.history.AuditLog;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.Map;

/** None is kept, or its database is not there: everything else works, and says so. */
class WithoutHistoryIT {

    @ParameterizedTest
    @ValueSource(strings = {"none", "jdbc:postgresql://127.0.0.1:1/coil?user=u&password=secret"})
    void everythingElseWorks(String database) {
        try (AdminFixture fixture = new AdminFixture(Map.of("coil.admin.history", database))) {
            World world = new World(fixture.api);
            world.node("n1");
            world.pool("default", 1, "10.1.0.0/29");
            world.block("default", 0, "n1", "10.1.0.0/31");
            await().until(() -> fixture.viewer().get("/api/v1/blocks/default-0").status() == 200);
            fixture.admin
                    .getBean(AuditLog.class)
                    .record(
                            new AuditEntry(
                                    Instant.now(),
                                    "ann",
                                    "drain",
                                    "pool",
                                    "default",
                                    "",
                                    AuditEntry.Result.DONE,
                                    ""));
            Client browser = fixture.browser(fixture.server.viewerToken());

            for (String path :
                    new String[] {"/blocks/default-0", "/nodes/n1", "/search?q=10.1.0.0"}) {
                Answer page = browser.get(path);
                assertThat(page.status()).as(path).isEqualTo(200);
                page.page();
                assertThat(page.body()).as(path).contains("History is not shown.");
            }
            assertThat(browser.get("/pools/default").status()).isEqualTo(200);
            assertThat(browser.get("/audit").body())
                    .contains("ann", "since this program started")
                    .doesNotContain("secret");
            Answer rest = fixture.viewer().get("/api/v1/addresses/10.1.0.0/history");
            assertThat(rest.status()).isEqualTo(503);
            assertThat(rest.body()).contains("There is no history to be read");
            assertThat(fixture.viewer().get("/api/v1/audit").body()).contains("ann");
            Answer health = new Client(fixture.management, "").get("/actuator/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.json().at("/status").asString()).isEqualTo("UP");
            assertThat(health.json().at("/components/history/status").asString())
                    .isEqualTo("UNKNOWN");
            assertThat(health.body()).doesNotContain("secret");
        }
    }
}
