package io.coil.controller.web;

import io.coil.controller.settings.ControllerSettings;
import io.coil.core.settings.BadSettingException;
import io.coil.kubernetes.time.Timeline;

import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;

/**
 * TLS of the webhook port: from tls.crt and tls.key, read again when they change (whoever rotates
 * them), without a connection that fails; or a certificate made at start.
 */
final class WebhookTls {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookTls.class);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Path certificate;
    private final Path key;
    private final AbstractHttp11Protocol<?> protocol;
    private byte[] served;

    private WebhookTls(Path directory, AbstractHttp11Protocol<?> protocol) {
        this.certificate = directory.resolve("tls.crt");
        this.key = directory.resolve("tls.key");
        this.protocol = protocol;
        this.served = content();
    }

    /** Returns what a client must trust, in PEM, if we made the certificate; else null. */
    static @Nullable String protect(
            Connector connector, ControllerSettings.Webhook settings, Timeline timeline) {
        connector.setScheme("https");
        connector.setSecure(true);
        AbstractHttp11Protocol<?> protocol =
                (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
        protocol.setSSLEnabled(true);
        SSLHostConfig host = new SSLHostConfig();
        host.setProtocols("TLSv1.2+TLSv1.3");
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        String toTrust = null;
        if (settings.certDir() == null) {
            KeyStore made = SelfMade.certificate(settings.host(), timeline);
            toTrust = SelfMade.pem(made);
            certificate.setCertificateKeystore(made);
            certificate.setCertificateKeystorePassword(SelfMade.PASSWORD);
        } else {
            WebhookTls files = new WebhookTls(Path.of(settings.certDir()), protocol);
            files.requireReadable();
            certificate.setCertificateFile(files.certificate.toString());
            certificate.setCertificateKeyFile(files.key.toString());
            files.reloadWhileServed(connector, timeline);
        }
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        return toTrust;
    }

    private void requireReadable() {
        if (served.length == 0) {
            throw new BadSettingException(
                    "coil.controller.cert-dir",
                    String.valueOf(certificate.getParent()),
                    "a directory with tls.crt and tls.key in PEM that can be read");
        }
    }

    private void reloadWhileServed(Connector connector, Timeline timeline) {
        connector.addLifecycleListener(
                event -> {
                    if (event.getType().equals(Lifecycle.AFTER_START_EVENT)) {
                        Timeline.Running task =
                                timeline.start("webhook certificate", () -> reload(timeline));
                        connector.addLifecycleListener(
                                end -> {
                                    if (end.getType().equals(Lifecycle.BEFORE_STOP_EVENT)) {
                                        task.stop();
                                    }
                                });
                    }
                });
    }

    private void reload(Timeline timeline) throws InterruptedException {
        while (true) {
            timeline.sleep(LOOK);
            byte[] now = content();
            if (now.length == 0 || Arrays.equals(now, served)) {
                continue;
            }
            try {
                protocol.reloadSslHostConfigs();
                served = now;
                LOG.atInfo().addKeyValue("file", certificate).log("certificate read again");
            } catch (IllegalArgumentException e) {
                LOG.atWarn().setCause(e).log("certificate and key do not fit (yet)");
            }
        }
    }

    /** Both files; empty while they cannot be read. */
    private byte[] content() {
        try {
            byte[] first = Files.readAllBytes(certificate);
            byte[] second = Files.readAllBytes(key);
            byte[] both = Arrays.copyOf(first, first.length + second.length);
            System.arraycopy(second, 0, both, first.length, second.length);
            return both;
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
