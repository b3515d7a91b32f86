package io.coil.controller.web;

import io.coil.controller.certificate.CertificateKeeper;
import io.coil.controller.certificate.CertificatePair;
import io.coil.controller.settings.WebhookSettings;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.time.Timeline;

import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.openssl.ciphers.OpenSSLCipherConfigurationParser;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** TLS of the webhook port, with the certificate that the settings ask for. */
final class WebhookTls {
    private static final Duration AT_START = Duration.ofDays(3650);

    static {
        // Tomcat fills its table of ciphers at first use, unguarded: two ports that open at once in
        // one process would spoil it for each other.
        List<String> _ = OpenSSLCipherConfigurationParser.parseExpression("DEFAULT");
    }

    private final Connector connector;
    private final Timeline timeline;
    private @Nullable String toTrust;
    private @Nullable CertificateKeeper keeper;

    private WebhookTls(Connector connector, Timeline timeline) {
        this.connector = connector;
        this.timeline = timeline;
    }

    static WebhookTls protect(
            Connector connector, WebhookSettings settings, Timeline timeline, KubeApi api) {
        connector.setScheme("https");
        connector.setSecure(true);
        WebhookTls tls = new WebhookTls(connector, timeline);
        tls.protocol().setSSLEnabled(true);
        switch (settings.certificate()) {
            case WebhookSettings.Brought(String directory) -> tls.brought(Path.of(directory));
            case WebhookSettings.Kept kept -> tls.kept(kept, settings.host(), api);
            case WebhookSettings.MadeAtStart() -> tls.madeAtStart(settings.host());
        }
        return tls;
    }

    /** What a client must trust, in PEM, if the certificate was made at start; else null. */
    @Nullable String toTrust() {
        return toTrust;
    }

    /** Why nobody can call yet, as a sentence; null: they can. */
    @Nullable String notReady() {
        return keeper == null ? null : keeper.notReady();
    }

    private void brought(Path directory) {
        CertificateFiles files = new CertificateFiles(directory, protocol());
        connector.addSslHostConfig(host(files::serve));
        whileServed("webhook certificate", () -> files.reload(timeline));
    }

    /** Until the Secret has been read, one is served that nobody trusts: the port must open. */
    private void kept(WebhookSettings.Kept kept, String host, KubeApi api) {
        connector.addSslHostConfig(
                host(serving(CertificatePair.make(host, timeline.now(), AT_START))));
        CertificateKeeper made =
                new CertificateKeeper(
                        api,
                        timeline,
                        host,
                        kept,
                        pair -> protocol().addSslHostConfig(host(serving(pair)), true));
        keeper = made;
        whileServed("webhook certificate", made::run);
    }

    private void madeAtStart(String host) {
        CertificatePair pair = CertificatePair.make(host, timeline.now(), AT_START);
        connector.addSslHostConfig(host(serving(pair)));
        toTrust = pair.pem();
    }

    private static Consumer<SSLHostConfigCertificate> serving(CertificatePair pair) {
        return where -> {
            where.setCertificateKeystore(pair.keyStore());
            where.setCertificateKeystorePassword(CertificatePair.PASSWORD);
        };
    }

    private static SSLHostConfig host(Consumer<SSLHostConfigCertificate> serving) {
        SSLHostConfig host = new SSLHostConfig();
        host.setProtocols("TLSv1.2+TLSv1.3");
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        serving.accept(certificate);
        host.addCertificate(certificate);
        return host;
    }

    private AbstractHttp11Protocol<?> protocol() {
        return (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
    }

    private void whileServed(String name, Timeline.Task work) {
        connector.addLifecycleListener(
                event -> {
                    if (event.getType().equals(Lifecycle.AFTER_START_EVENT)) {
                        Timeline.Running task = timeline.start(name, work);
                        connector.addLifecycleListener(
                                end -> {
                                    if (end.getType().equals(Lifecycle.BEFORE_STOP_EVENT)) {
                                        task.stop();
                                    }
                                });
                    }
                });
    }
}
