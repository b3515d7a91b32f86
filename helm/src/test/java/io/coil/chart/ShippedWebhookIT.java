package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.coil.apiserver.rest.RequestLog;
import io.coil.controller.certificate.CertificateKeeper;
import io.coil.controller.certificate.CertificatePair;
import io.coil.controller.settings.ControllerSettings;
import io.coil.controller.settings.WebhookSettings;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Scenario E6 with the rights, the Secret, the settings and the webhook configurations that the
 * chart ships: the controllers can keep their certificate, and are never refused.
 */
class ShippedWebhookIT {
    private static final String CONTROLLER =
            "system:serviceaccount:" + RenderedChart.NAMESPACE + ":coil-controller";

    private final Timeline time = new VirtualThreads();

    @Test
    void e6_theControllersKeepTheirCertificateWithTheRightsOfTheChart() throws Exception {
        RenderedChart chart = RenderedChart.with(Map.of());
        try (ChartCluster cluster = new ChartCluster()) {
            cluster.start(chart);
            cluster.apply(
                    chart,
                    "Secret",
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration");
            WebhookSettings settings = settings(chart);
            assertThat(settings.certificate()).isInstanceOf(WebhookSettings.Kept.class);
            List<CertificatePair> served = new CopyOnWriteArrayList<>();
            try (ClientKubeApi api = cluster.api(CONTROLLER)) {
                CertificateKeeper keeper =
                        new CertificateKeeper(
                                api,
                                time,
                                settings.host(),
                                (WebhookSettings.Kept) settings.certificate(),
                                served::add);
                Timeline.Running task = time.start("keeper", keeper::run);

                await().atMost(20, SECONDS).until(() -> keeper.notReady() == null);

                task.stop();
                assertThat(served)
                        .singleElement()
                        .satisfies(
                                pair ->
                                        assertThat(pair.certificate().getSubjectAlternativeNames())
                                                .anyMatch(
                                                        n ->
                                                                n.contains(
                                                                        "coil-webhook."
                                                                                + RenderedChart
                                                                                        .NAMESPACE
                                                                                + ".svc")));
            }
            assertThat(cluster.requests().counts().keySet())
                    .filteredOn(k -> k.user().equals(CONTROLLER))
                    .isNotEmpty()
                    .extracting(RequestLog.Kind::code)
                    .doesNotContain(401, 403);
        }
    }

    private static WebhookSettings settings(RenderedChart chart) {
        Node given =
                RenderedChart.parse(
                                chart.the("Deployment", "coil-controller")
                                        .items("spec", "template", "spec", "containers")
                                        .flatMap(c -> c.items("env"))
                                        .filter(
                                                e ->
                                                        e.text("name")
                                                                .equals("SPRING_APPLICATION_JSON"))
                                        .findFirst()
                                        .orElseThrow()
                                        .text("value"))
                        .getFirst();
        return ControllerSettings.read(
                        name -> given.has(name) ? given.text(name) : null, "controller")
                .webhook();
    }
}
