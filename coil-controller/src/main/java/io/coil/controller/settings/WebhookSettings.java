package io.coil.controller.settings;

import static io.coil.core.settings.Setting.duration;
import static io.coil.core.settings.Setting.text;

import io.coil.core.settings.BadSettingException;
import io.coil.core.settings.Setting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The certificate of the webhook port.
 *
 * @param host DNS name in a certificate that we make
 */
public record WebhookSettings(String host, Certificate certificate) {
    private static final Setting<String> CERT_DIR =
            text(
                    "coil.controller.cert-dir",
                    null,
                    "directory of tls.crt and tls.key for the webhook, if somebody else looks after"
                            + " them");
    private static final Setting<String> SECRET =
            text(
                    "coil.controller.webhook-secret",
                    null,
                    "namespace/name of the Secret in which the controllers keep the webhook's"
                            + " certificate that they make and rotate; with neither this nor a"
                            + " directory, one is made at start, which nobody trusts");
    private static final Setting<String> CONFIGURATIONS =
            text(
                    "coil.controller.webhook-configurations",
                    "coil",
                    "name of the two webhook configurations that are to trust that certificate");
    private static final Setting<String> HOST =
            text(
                    "coil.controller.webhook-host",
                    "localhost",
                    "name in the certificate that the controllers make");
    private static final Setting<Duration> LIFE =
            duration(
                    "coil.controller.certificate-life",
                    "90d",
                    "2s",
                    "3650d",
                    "how long such a certificate is good");
    private static final Setting<Duration> RENEW =
            duration(
                    "coil.controller.certificate-renew",
                    "30d",
                    "1s",
                    "3650d",
                    "how long before its end the next one is made");
    private static final Setting<Duration> SETTLE =
            duration(
                    "coil.controller.certificate-settle",
                    "1m",
                    "10ms",
                    "1h",
                    "how long a new certificate is trusted before it is served: API servers have"
                            + " to hear of it");
    private static final Setting<Duration> LOOK =
            duration(
                    "coil.controller.certificate-look",
                    "10s",
                    "10ms",
                    "10m",
                    "how often the Secret and the configurations are looked at");

    static final List<Setting<?>> ALL =
            List.of(CERT_DIR, SECRET, CONFIGURATIONS, HOST, LIFE, RENEW, SETTLE, LOOK);

    /** So that a replica hears of the next certificate long before the old one ends. */
    private static final int LOOKS = 10;

    /** Where the certificate comes from. */
    public sealed interface Certificate {}

    /** {@code directory} holds tls.crt and tls.key in PEM; read again when they change. */
    public record Brought(String directory) implements Certificate {}

    /**
     * Made by the controllers, kept in a Secret, rotated.
     *
     * @param configurations name of the two webhook configurations that are to trust it
     * @param life of a certificate
     * @param renew how long before its end the next one is made
     * @param settle how long callers may take to hear of a changed configuration
     * @param look how often all is looked at
     */
    public record Kept(
            String namespace,
            String secret,
            String configurations,
            Duration life,
            Duration renew,
            Duration settle,
            Duration look)
            implements Certificate {}

    /** Made at start, for whoever reads from this process what to trust: to try things out. */
    public record MadeAtStart() implements Certificate {}

    static WebhookSettings read(Function<String, @Nullable String> values) {
        String directory = CERT_DIR.orNull(values);
        String secret = SECRET.orNull(values);
        if (directory != null && secret != null) {
            throw new BadSettingException(
                    SECRET.name(), secret, "nothing while %s is set".formatted(CERT_DIR.name()));
        }
        String host = HOST.from(values);
        if (directory != null) {
            return new WebhookSettings(host, new Brought(directory));
        }
        return new WebhookSettings(host, secret == null ? new MadeAtStart() : kept(secret, values));
    }

    private static Kept kept(String secret, Function<String, @Nullable String> values) {
        int slash = secret.indexOf('/');
        if (slash < 1 || slash == secret.length() - 1) {
            throw new BadSettingException(SECRET.name(), secret, "<namespace>/<name>");
        }
        Kept kept =
                new Kept(
                        secret.substring(0, slash),
                        secret.substring(slash + 1),
                        CONFIGURATIONS.from(values),
                        LIFE.from(values),
                        RENEW.from(values),
                        SETTLE.from(values),
                        LOOK.from(values));
        if (kept.life().compareTo(kept.renew()) <= 0) {
            throw new BadSettingException(
                    RENEW.name(),
                    kept.renew().toMillis() + "ms",
                    "less than %s, which is %dms".formatted(LIFE.name(), kept.life().toMillis()));
        }
        Duration least = kept.settle().plus(kept.look()).multipliedBy(LOOKS);
        if (kept.renew().compareTo(least) < 0) {
            throw new BadSettingException(
                    RENEW.name(),
                    kept.renew().toMillis() + "ms",
                    "at least ten times %s and %s together, which is %dms"
                            .formatted(SETTLE.name(), LOOK.name(), least.toMillis()));
        }
        return kept;
    }
}
