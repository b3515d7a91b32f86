package io.coil.controller.web;

import io.coil.core.settings.BadSettingException;
import io.coil.kubernetes.time.Timeline;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * tls.crt and tls.key that somebody else looks after: read again when they change, without a
 * connection that fails.
 */
final class CertificateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Path certificate;
    private final Path key;
    private final AbstractHttp11Protocol<?> protocol;
    private byte[] served;

    /** Throws if there is nothing to begin with. */
    CertificateFiles(Path directory, AbstractHttp11Protocol<?> protocol) {
        this.certificate = directory.resolve("tls.crt");
        this.key = directory.resolve("tls.key");
        this.protocol = protocol;
        this.served = content();
        if (served.length == 0) {
            throw new BadSettingException(
                    "coil.controller.cert-dir",
                    directory.toString(),
                    "a directory with tls.crt and tls.key in PEM that can be read");
        }
    }

    void serve(SSLHostConfigCertificate where) {
        where.setCertificateFile(certificate.toString());
        where.setCertificateKeyFile(key.toString());
    }

    void reload(Timeline timeline) throws InterruptedException {
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
