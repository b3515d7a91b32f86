package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.controller.web.Ports;
import io.coil.core.settings.BadSettingException;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The program: ports, probes, metrics, settings. */
class ControllerApplicationIT {
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ConfigurableApplicationContext> running = new ArrayList<>();
    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = new Cluster();
    }

    @AfterEach
    void stop() {
        running.forEach(ConfigurableApplicationContext::close);
        cluster.close();
    }

    @Test
    void h2APoolThatWasNeverUsedHasItsSeriesAtOnceAndAfterFailOver() throws Exception {
        cluster.pool("unused", 1, "10.1.0.0/29");
        ConfigurableApplicationContext first = application();
        eventually(() -> first.getBean(Controller.class).isGranting());
        ConfigurableApplicationContext second = application();

        assertThat(metrics(first))
                .contains("coil_controller_max_blocks{pool=\"unused\"} 4.0")
                .contains("coil_controller_allocated_blocks{pool=\"unused\"} 0.0");
        assertThat(metrics(second)).doesNotContain("coil_controller_max_blocks");
        first.close();
        eventually(
                () -> metrics(second).contains("coil_controller_max_blocks{pool=\"unused\"} 4.0"));

        cluster.api.delete(Kinds.POOLS, null, "unused", Preconditions.NONE);

        eventually(() -> !metrics(second).contains("coil_controller_max_blocks"));
    }

    @Test
    void eachPortServesItsPathsAlone() throws Exception {
        ConfigurableApplicationContext context = application();
        Ports ports = context.getBean(Ports.class);
        eventually(() -> get(ports.healthPort(), "/readyz").statusCode() == 200);

        assertThat(get(ports.healthPort(), "/healthz").body()).isEqualTo("ok");
        assertThat(get(ports.healthPort(), "/metrics").statusCode()).isEqualTo(404);
        assertThat(get(ports.healthPort(), "/actuator/health").statusCode()).isEqualTo(404);
        assertThat(get(ports.metricsPort(), "/actuator/health").body()).contains("\"leading\"");
        assertThat(get(ports.metricsPort(), "/actuator/prometheus").statusCode()).isEqualTo(200);
        assertThat(get(ports.metricsPort(), "/actuator/health/readiness").statusCode())
                .isEqualTo(200);
        for (String shut : new String[] {"blocks", "leaks", "collections", "info", "env"}) {
            assertThat(get(ports.metricsPort(), "/actuator/" + shut).statusCode())
                    .as(shut)
                    .isEqualTo(401);
        }
        assertThat(withToken(ports.metricsPort(), "/actuator/env").statusCode()).isEqualTo(404);
        assertThat(get(ports.metricsPort(), "/readyz").statusCode()).isEqualTo(404);
        assertThat(withToken(ports.metricsPort(), "/actuator/blocks").body())
                .contains("\"blocks\":[]");
        assertThat(withToken(ports.metricsPort(), "/actuator/collections").statusCode())
                .isEqualTo(200);
        assertThat(ControllerApplication.webhookUri(context).getScheme()).isEqualTo("https");
    }

    @Test
    void portsCanBeOff() {
        ConfigurableApplicationContext context =
                application(
                        "coil.controller.metrics-port", "off",
                        "coil.controller.health-port", "off",
                        "coil.controller.webhook-port", "off");

        eventually(() -> context.getBean(Controller.class).isGranting());
    }

    @Test
    void aSettingThatIsNotAllowedEndsTheStartAndSaysWhatIs() {
        assertThatThrownBy(() -> application("coil.controller.node-grace", "soon"))
                .hasRootCauseInstanceOf(BadSettingException.class)
                .rootCause()
                .hasMessage(
                        "coil.controller.node-grace is \"soon\", allowed is a time between 100ms and"
                                + " 1d, written like 500ms, 10s, 2m, 1h");
    }

    private ConfigurableApplicationContext application(String... more) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("coil.controller.metrics-port", "0");
        properties.put("coil.controller.health-port", "0");
        properties.put("coil.controller.webhook-port", "0");
        properties.put("coil.controller.address", "127.0.0.1");
        properties.put("coil.controller.lease-duration", "5s");
        properties.put("coil.controller.lease-renew-deadline", "4s");
        properties.put("coil.controller.lease-retry", "100ms");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        ConfigurableApplicationContext context =
                ControllerApplication.run(properties, cluster.client("app"), cluster.timeline);
        running.add(context);
        return context;
    }

    private String metrics(ConfigurableApplicationContext context)
            throws IOException, InterruptedException {
        return get(context.getBean(Ports.class).metricsPort(), "/metrics").body();
    }

    private HttpResponse<String> withToken(int port, String path)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Authorization", "Bearer " + cluster.server.adminToken())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(int port, String path)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
