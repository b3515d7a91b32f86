package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.cli.Cli;
import io.coil.controller.web.Ports;
import io.coil.sandbox.Sandbox;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Invariant 12: whatever is asked, the numbers are the same. */
@ExtendWith(SharedSandbox.class)
class AgreementIT {
    private static final Pattern METRIC = Pattern.compile("(?m)^# TYPE (coil_\\w+) (\\w+)");
    private static final Pattern DOCUMENTED =
            Pattern.compile("(?m)^\\| `(coil_\\w+)` \\| ([a-z]+) \\|");

    private final HttpClient http = HttpClient.newHttpClient();

    /** Of a pool: what one place says. */
    private record Numbers(
            String blocks, String granted, String addresses, String used, String candidates) {}

    @Test
    @DisplayName("H1: metrics, REST, CSV, Actuator, the pool's status and the command line agree")
    void h1(Operator operator) throws Exception {
        operator.createPool("agree", 1, "10.77.0.0/29");
        operator.createNamespace("agree", "agree");
        operator.createPod("agree", "p1", Operator.NODE);
        operator.awaitReady("agree", "p1");
        Sandbox sandbox = operator.sandbox();
        Dashboard dashboard = Dashboard.signedIn(sandbox);
        Numbers expected = new Numbers("4", "1", "8", "1", "0");

        operator.soon(() -> assertThat(ofRest(dashboard)).isEqualTo(expected));
        operator.soon(() -> assertThat(ofAdminMetrics(dashboard.metrics())).isEqualTo(expected));
        operator.soon(() -> assertThat(ofStatus(operator)).isEqualTo(List.of("4", "1", "8", "1")));
        operator.soon(() -> assertThat(ofTheLeader(sandbox)).isEqualTo(List.of("4.0", "1.0")));
        assertThat(ofCsv(sandbox)).isEqualTo(expected);
        assertThat(ofTheCommandLine(sandbox)).isEqualTo(expected);
        assertThat(dashboard.get("/pools/agree"))
                .contains("1 of 4 blocks granted, 1 of 8 addresses in use.");
        assertThat(table(sandbox)).containsPattern("agree +serving +1/4 +0 +1/8 ");
        ofActuator(sandbox, dashboard);

        operator.deletePod("agree", "p1");
        operator.deletePool("agree");
        operator.soon(() -> assertThat(operator.poolExists("agree")).isFalse());
        operator.soon(
                () -> {
                    assertThat(dashboard.metrics()).doesNotContain("pool=\"agree\"");
                    assertThat(allMetrics(sandbox)).doesNotContain("pool=\"agree\"");
                });
        operator.assertInvariants();
    }

    @Test
    @DisplayName("H2: a pool that was never used has its metrics at once, and after fail-over")
    void h2(Operator operator) {
        operator.createPool("unused", 0, "10.78.0.0/30");
        operator.soon(() -> assertThat(leader(operator.sandbox(), "unused")).isEqualTo("0.0"));

        operator.scaleControllers(0);
        operator.awaitControllers(0);
        operator.scaleControllers(2);

        operator.soon(() -> assertThat(leader(operator.sandbox(), "unused")).isEqualTo("0.0"));
        operator.assertInvariants();
    }

    @Test
    void theManualNamesEveryMetricAndNoOther(Operator operator) throws Exception {
        operator.createPool("told", 0, "10.79.0.0/30");
        operator.createNamespace("told", "told");
        operator.createPod("told", "p1", Operator.NODE);
        operator.awaitReady("told", "p1");
        Set<String> documented = new TreeSet<>();
        Matcher rows = DOCUMENTED.matcher(Files.readString(Path.of("../docs/metrics.md")));
        while (rows.find()) {
            documented.add(rows.group(1));
        }
        // Those that count what has not happened here need not be there.
        Set<String> rare =
                Set.of(
                        "coil_controller_collected_total",
                        "coil_controller_released_by_force_total");

        operator.soon(
                () -> {
                    Set<String> served = new TreeSet<>();
                    Matcher types =
                            METRIC.matcher(
                                    allMetrics(operator.sandbox())
                                            + Dashboard.signedIn(operator.sandbox()).metrics());
                    while (types.find()) {
                        boolean counter = types.group(2).equals("counter");
                        boolean whole = types.group(1).endsWith("_total") || !counter;
                        served.add(whole ? types.group(1) : types.group(1) + "_total");
                    }
                    served.removeIf(name -> name.endsWith("_seconds_max"));
                    served.addAll(rare);
                    assertThat(served).isEqualTo(documented);
                });
    }

    @Test
    @DisplayName("I2: without a token health and metrics alone, of every program")
    void i2(Operator operator) throws Exception {
        Sandbox sandbox = operator.sandbox();
        for (URI program : programs(sandbox)) {
            for (String open : new String[] {"health", "health/liveness", "prometheus"}) {
                assertThat(status(program, open, null)).as("%s %s", program, open).isEqualTo(200);
            }
            for (String shut : new String[] {"info", "blocks", "leaks", "collections"}) {
                assertThat(status(program, shut, null)).as("%s %s", program, shut).isEqualTo(401);
                assertThat(status(program, shut, "wrong")).isEqualTo(401);
                assertThat(status(program, shut, sandbox.server().token("stranger")))
                        .isEqualTo(403);
                assertThat(status(program, shut, sandbox.server().viewerToken()))
                        .as("%s %s", program, shut)
                        .isEqualTo(200);
            }
            for (String none : new String[] {"env", "heapdump", "health/../env", "shutdown"}) {
                assertThat(status(program, none, null)).isIn(400, 401, 404);
                assertThat(status(program, none, sandbox.server().viewerToken())).isIn(400, 404);
            }
            assertThat(body(program, "info", sandbox.server().viewerToken()))
                    .contains("\"role\"", "\"java\"");
        }
    }

    // ------------------------------------------------------------------ who says what

    private static Numbers of(JsonNode pool) {
        return new Numbers(
                pool.at("/blocks/total").asString(),
                pool.at("/blocks/granted").asString(),
                pool.at("/addresses/total").asString(),
                pool.at("/addresses/used").asString(),
                pool.at("/candidates").asString());
    }

    private static Numbers ofRest(Dashboard dashboard) throws Exception {
        return of(dashboard.rest("/api/v1/pools/agree").at("/pool"));
    }

    private static Numbers ofTheCommandLine(Sandbox sandbox) throws Exception {
        String json = command(sandbox, "get", "pools", "agree", "-o", "json");
        return of(new JsonMapper().readTree(json).at("/pool"));
    }

    private static String table(Sandbox sandbox) throws Exception {
        return command(sandbox, "get", "pools");
    }

    private static Numbers ofCsv(Sandbox sandbox) throws Exception {
        String[] lines = command(sandbox, "get", "pools", "-o", "csv").split("\r\n", -1);
        List<String> header = List.of(lines[0].split(",", -1));
        for (String line : lines) {
            String[] cells = line.split(",", -1);
            if (cells[0].equals("agree")) {
                return new Numbers(
                        cells[header.indexOf("blocks.total")],
                        cells[header.indexOf("blocks.granted")],
                        cells[header.indexOf("addresses.total")],
                        cells[header.indexOf("addresses.used")],
                        cells[header.indexOf("candidates")]);
            }
        }
        throw new AssertionError("the pool is not in the list");
    }

    private static String command(Sandbox sandbox, String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Map<String, String> environment =
                Map.of(
                        "COIL_SERVER",
                        sandbox.adminUrl().toString(),
                        "COIL_TOKEN",
                        sandbox.server().viewerToken());
        assertThat(Cli.run(List.of(words), environment, stream, stream)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Numbers ofAdminMetrics(String metrics) {
        return new Numbers(
                whole(metrics, "coil_admin_pool_blocks{pool=\"agree\",state=\"total\"}"),
                whole(metrics, "coil_admin_pool_blocks{pool=\"agree\",state=\"granted\"}"),
                whole(metrics, "coil_admin_pool_addresses{pool=\"agree\",state=\"total\"}"),
                whole(metrics, "coil_admin_pool_addresses{pool=\"agree\",state=\"used\"}"),
                whole(metrics, "coil_admin_pool_leak_candidates{pool=\"agree\"}"));
    }

    private static String whole(String metrics, String series) {
        return value(metrics, series).replace(".0", "");
    }

    private static String value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> line.substring(series.length() + 1))
                .findFirst()
                .orElse("none");
    }

    private static List<String> ofStatus(Operator operator) {
        var status = Objects.requireNonNull(operator.pool("agree").status());
        var blocks = Objects.requireNonNull(status.blocks());
        var addresses = Objects.requireNonNull(status.addresses());
        return List.of(blocks.total(), blocks.used(), addresses.total(), addresses.used());
    }

    private List<String> ofTheLeader(Sandbox sandbox) throws Exception {
        String metrics = allMetrics(sandbox);
        return List.of(
                value(metrics, "coil_controller_max_blocks{pool=\"agree\"}"),
                value(metrics, "coil_controller_allocated_blocks{pool=\"agree\"}"));
    }

    private String leader(Sandbox sandbox, String pool) throws Exception {
        return value(
                allMetrics(sandbox),
                "coil_controller_allocated_blocks{pool=\"%s\"}".formatted(pool));
    }

    private void ofActuator(Sandbox sandbox, Dashboard dashboard) throws Exception {
        String token = sandbox.server().viewerToken();
        String name = dashboard.rest("/api/v1/blocks?pool=agree").at("/items/0/name").asString();
        for (URI program : programs(sandbox)) {
            String blocks = body(program, "blocks", token);
            boolean elsewhere =
                    blocks.startsWith("{\"node\":")
                            && !blocks.startsWith("{\"node\":\"" + Operator.NODE + "\"");
            if (elsewhere) {
                assertThat(blocks).doesNotContain(name);
            } else {
                assertThat(blocks).as(program.toString()).contains("\"" + name + "\"");
            }
            assertThat(body(program, "leaks", token)).doesNotContain(name);
        }
    }

    // ------------------------------------------------------------------ the programs

    /** Where the metrics of each are. */
    private static List<URI> programs(Sandbox sandbox) {
        List<URI> all = new ArrayList<>();
        all.add(Objects.requireNonNull(sandbox.programs().admin().managementUri()));
        for (ConfigurableApplicationContext controller :
                sandbox.programs().controller().running()) {
            all.add(at(controller.getBean(Ports.class).metricsPort()));
        }
        for (ConfigurableApplicationContext agent :
                sandbox.programs().agents().running().values()) {
            all.add(
                    at(
                            agent.getEnvironment()
                                    .getRequiredProperty("local.management.port", Integer.class)));
        }
        return all;
    }

    private static URI at(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Of controllers and agents, as Coil's scrapers ask for them. */
    private String allMetrics(Sandbox sandbox) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        List<URI> programs = programs(sandbox);
        for (URI program : programs.subList(1, programs.size())) {
            all.append(
                    http.send(
                                    HttpRequest.newBuilder(program.resolve("/metrics")).build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body());
        }
        return all.toString();
    }

    private int status(URI program, String endpoint, @Nullable String token) throws Exception {
        return ask(program, endpoint, token).statusCode();
    }

    private String body(URI program, String endpoint, String token) throws Exception {
        return ask(program, endpoint, token).body();
    }

    private HttpResponse<String> ask(URI program, String endpoint, @Nullable String token)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(program + "/actuator/" + endpoint));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
