package io.coil.controller.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.core.pool.CollectionMode;
import io.coil.core.settings.BadSettingException;
import io.coil.core.settings.Setting;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

class ControllerSettingsTest {

    @Test
    void theDefaultsAreTheDesign() {
        ControllerSettings settings = ControllerSettings.read(name -> null, "me");

        assertThat(settings.identity()).isEqualTo("me");
        assertThat(settings.collection()).isEqualTo(CollectionMode.ON);
        assertThat(settings.grantsInFlight()).isEqualTo(32);
        assertThat(settings.nodeGrace()).isEqualTo(Duration.ofMinutes(2));
        assertThat(settings.collectionInterval()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.runDeadline()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.runTtl()).isEqualTo(Duration.ofHours(24));
        assertThat(settings.runsKept()).isEqualTo(100);
        assertThat(settings.poolStatusInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.ports()).isEqualTo(new PortSettings("0.0.0.0", 9386, 9387, 9443));
    }

    @Test
    void theCertificateOfTheWebhookIsKeptBroughtOrMadeAtStart() {
        assertThat(certificate(Map.of())).isEqualTo(new WebhookSettings.MadeAtStart());
        assertThat(certificate(Map.of("coil.controller.cert-dir", "/tls")))
                .isEqualTo(new WebhookSettings.Brought("/tls"));
        assertThat(certificate(Map.of("coil.controller.webhook-secret", "kube-system/tls")))
                .isEqualTo(
                        new WebhookSettings.Kept(
                                "kube-system",
                                "tls",
                                "coil",
                                Duration.ofDays(90),
                                Duration.ofDays(30),
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(10)));
        assertThatThrownBy(
                        () ->
                                certificate(
                                        Map.of(
                                                "coil.controller.webhook-secret", "kube-system/tls",
                                                "coil.controller.certificate-renew", "90d")))
                .hasMessageEndingWith(
                        "allowed is less than coil.controller.certificate-life, which is"
                                + " 7776000000ms");
        assertThatThrownBy(
                        () ->
                                certificate(
                                        Map.of(
                                                "coil.controller.webhook-secret", "kube-system/tls",
                                                "coil.controller.certificate-renew", "11m")))
                .hasMessageEndingWith("together, which is 700000ms");
        assertThatThrownBy(
                        () -> certificate(Map.of("coil.controller.webhook-secret", "kube-system")))
                .hasMessageEndingWith("allowed is <namespace>/<name>");
    }

    private static WebhookSettings.Certificate certificate(Map<String, String> values) {
        return ControllerSettings.read(values::get, "me").webhook().certificate();
    }

    @ParameterizedTest
    @CsvSource({
        "coil.controller.grants-in-flight,0,a whole number between 1 and 1000",
        "coil.controller.grants-in-flight,many,a whole number between 1 and 1000",
        "coil.controller.node-grace,120,'a time between 100ms and 1d, written like 500ms, 10s, 2m, 1h'",
        "coil.collection,sometimes,'one of on, manual, off'",
        "coil.controller.webhook-port,70000,'a port between 0 and 65535 (0: any free one), or off'",
        "coil.controller.lease-renew-deadline,15s,'less than coil.controller.lease-duration, which is 15000ms'",
        "coil.controller.lease-duration,10500ms,whole seconds",
    })
    void aBadValueIsNamedWithWhatIsAllowed(String name, String value, String allowed) {
        assertThatThrownBy(() -> ControllerSettings.read(Map.of(name, value)::get, "me"))
                .isInstanceOf(BadSettingException.class)
                .hasMessageStartingWith(name + " is \"")
                .hasMessageEndingWith("allowed is " + allowed);
    }

    @Test
    void theManualNamesEverySettingWithItsDefault() throws IOException {
        Path docs = Path.of(Files.isDirectory(Path.of("../docs")) ? "../docs" : "docs");
        String manual =
                Files.readString(docs.resolve("settings-controller.md"))
                        + Files.readString(docs.resolve("settings.md"));

        for (Setting<?> setting : ControllerSettings.ALL) {
            String row =
                    manual.lines()
                            .filter(l -> l.contains("`" + setting.name() + "`"))
                            .findFirst()
                            .orElse("");
            assertThat(row).as("the manual's row of %s", setting.name()).isNotEmpty();
            if (setting.fallback() != null) {
                assertThat(row).as("default in the manual").contains(setting.fallback());
            }
        }
    }
}
