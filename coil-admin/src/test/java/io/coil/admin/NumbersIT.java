package io.coil.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** H1: what metrics, REST and pages say is the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NumbersIT {
    private AdminFixture fixture;

    @BeforeAll
    void given() {
        fixture = new AdminFixture();
        World world = new World(fixture.api);
        world.node("n1");
        world.pool("default", 1, "10.1.0.0/29");
        world.report(
                "n1",
                world.block("default", 0, "n1", "10.1.0.0/31"),
                "2",
                1,
                OffsetDateTime.now(ZoneOffset.UTC));
        await().atMost(Duration.ofSeconds(10))
                .until(
                        () ->
                                fixture.operator()
                                        .get("/api/v1/nodes/n1")
                                        .body()
                                        .contains("\"used\":1"));
    }

    @AfterAll
    void after() {
        fixture.close();
    }

    @Test
    void h1_restMetricsAndPagesAgree() {
        JsonNode pool = fixture.viewer().get("/api/v1/pools/default").json();
        assertThat(pool.at("/pool/blocks/total").asInt()).isEqualTo(4);
        assertThat(pool.at("/pool/blocks/granted").asInt()).isEqualTo(1);
        assertThat(pool.at("/pool/addresses/total").asInt()).isEqualTo(8);
        assertThat(pool.at("/pool/addresses/used").asInt()).isEqualTo(1);
        assertThat(pool.at("/pool/candidates").asInt()).isZero();
        assertThat(pool.at("/nodes/n1/blocks").asInt()).isEqualTo(1);
        assertThat(pool.at("/nodes/n1/used").asInt()).isEqualTo(1);

        String metrics = new Client(fixture.management, "").get("/actuator/prometheus").body();
        assertThat(metrics)
                .contains("coil_admin_pool_blocks{pool=\"default\",state=\"total\"} 4.0")
                .contains("coil_admin_pool_blocks{pool=\"default\",state=\"granted\"} 1.0")
                .contains("coil_admin_pool_addresses{pool=\"default\",state=\"total\"} 8.0")
                .contains("coil_admin_pool_addresses{pool=\"default\",state=\"used\"} 1.0")
                .contains("coil_admin_pool_leak_candidates{pool=\"default\"} 0.0")
                .contains("coil_admin_node_blocks{node=\"n1\",pool=\"default\"} 1.0")
                .contains("coil_admin_node_addresses_used{node=\"n1\",pool=\"default\"} 1.0");

        Client browser = fixture.browser(fixture.server.viewerToken());
        assertThat(browser.get("/pools/default").body())
                .contains("1 of 4 blocks granted, 1 of 8 addresses in use.");
        assertThat(browser.get("/nodes").body()).contains(">1 of 2<");
        assertThat(browser.get("/nodes/n1").body())
                .contains("Holds 1 block of 1 pool: 1 of 2 addresses in use");
    }

    @Test
    void h1_theSeriesOfADeletedPoolGo() {
        new World(fixture.api).pool("short", 0, "10.9.0.0/30");
        Client scraper = new Client(fixture.management, "");
        await().until(() -> scraper.get("/actuator/prometheus").body().contains("pool=\"short\""));

        fixture.api.delete(Kinds.POOLS, null, "short", Preconditions.NONE);

        await().until(() -> !scraper.get("/actuator/prometheus").body().contains("pool=\"short\""));
    }
}
