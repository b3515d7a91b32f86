package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** E6: a certificate that is rotated without one failed call. */
class CertificateRotationIT {
    @TempDir private Path directory;

    @Test
    void e6TheNewCertificateIsServedAndNoConnectionFails() throws Exception {
        BigInteger first = bring();
        try (Cluster cluster = new Cluster();
                ConfigurableApplicationContext context =
                        ControllerApplication.run(
                                Map.of(
                                        "coil.controller.metrics-port", "off",
                                        "coil.controller.health-port", "off",
                                        "coil.controller.webhook-port", "0",
                                        "coil.controller.address", "127.0.0.1",
                                        "coil.controller.cert-dir", directory.toString()),
                                cluster.client("app"),
                                cluster.timeline)) {
            URI uri = ControllerApplication.webhookUri(context);
            assertThat(served(uri)).isEqualTo(first);

            BigInteger second = bring();

            Cluster.within(
                    Duration.ofSeconds(20),
                    () -> {
                        BigInteger now = served(uri); // fails the test if it cannot connect
                        assertThat(now).isIn(first, second);
                        return now.equals(second);
                    });
        }
    }

    /** Key first, as a secret's volume is not: both files of one moment, or the old pair stays. */
    private BigInteger bring() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair pair = generator.generateKeyPair();
        BigInteger serial = new BigInteger(63, new SecureRandom());
        X500Name name = new X500Name("CN=webhook");
        X509Certificate certificate =
                new JcaX509CertificateConverter()
                        .getCertificate(
                                new JcaX509v3CertificateBuilder(
                                                name,
                                                serial,
                                                Date.from(Instant.now().minusSeconds(60)),
                                                Date.from(Instant.now().plusSeconds(3600)),
                                                name,
                                                pair.getPublic())
                                        .build(
                                                new JcaContentSignerBuilder("SHA256withECDSA")
                                                        .build(pair.getPrivate())));
        write("tls.key", "PRIVATE KEY", pair.getPrivate().getEncoded());
        write("tls.crt", "CERTIFICATE", certificate.getEncoded());
        return serial;
    }

    private void write(String file, String what, byte[] content) throws IOException {
        String text =
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(
                                what,
                                Base64.getMimeEncoder(64, new byte[] {10}).encodeToString(content),
                                what);
        Files.writeString(directory.resolve(file), text, StandardCharsets.US_ASCII);
    }

    private static BigInteger served(URI uri) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", uri.getPort())) {
            socket.startHandshake();
            OutputStream out = socket.getOutputStream();
            out.write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber();
        }
    }

    /** Which certificate is served is what this test is about. */
    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
