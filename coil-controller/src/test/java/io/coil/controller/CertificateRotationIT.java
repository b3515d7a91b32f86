package io.coil.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.DisplayName;
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
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** E6: a certificate that is rotated without one failed call. */
@OnBothServers
class CertificateRotationIT {
    private static final X500Name AUTHORITY = new X500Name("CN=authority");

    private final Servers on;
    private final KeyPair authorityKey = keyPair();
    @TempDir private Path directory;

    CertificateRotationIT(Servers on) {
        this.on = on;
    }

    @Test
    @DisplayName("E6: every replica admits while the certificate is rotated")
    void e6() throws Exception {
        BigInteger first = bring();
        String authority =
                pem(
                        "CERTIFICATE",
                        certificate(AUTHORITY, BigInteger.ONE, authorityKey.getPublic()));
        try (Cluster cluster = new Cluster(on);
                ConfigurableApplicationContext one = replica(cluster);
                ConfigurableApplicationContext two = replica(cluster)) {
            List<URI> replicas = List.of(one, two).stream().map(this::webhook).toList();
            // Each change is asked about at both.
            Webhooks.configure(cluster, authority, Replicas.ports(one), Replicas.ports(two));
            cluster.pool("default", 1, "10.1.0.0/29");
            assertThat(served(replicas)).containsOnly(first);

            BigInteger second = bring();

            AtomicInteger changes = new AtomicInteger();
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(50))
                    .until(
                            () -> {
                                // an error of either ends the test
                                admit(cluster, changes.incrementAndGet());
                                Set<BigInteger> now = served(replicas);
                                assertThat(now).isSubsetOf(first, second);
                                return now.equals(Set.of(second));
                            });
            for (int i = 0; i < 5; i++) {
                admit(cluster, changes.incrementAndGet());
            }
        }
    }

    private static void admit(Cluster cluster, int number) {
        try {
            cluster.api.patch(
                    Kinds.POOLS,
                    null,
                    "default",
                    Preconditions.NONE,
                    "{\"metadata\":{\"labels\":{\"change\":\"%d\"}}}".formatted(number));
        } catch (ApiFailure e) {
            throw new AssertionError("change " + number + " was not admitted", e);
        }
    }

    private ConfigurableApplicationContext replica(Cluster cluster) {
        return ControllerApplication.run(
                Map.of(
                        "coil.controller.metrics-port", "off",
                        "coil.controller.health-port", "off",
                        "coil.controller.webhook-port", "0",
                        "coil.controller.address", "127.0.0.1",
                        "coil.controller.cert-dir", directory.toString()),
                cluster.client("app"),
                cluster.timeline);
    }

    private URI webhook(ConfigurableApplicationContext context) {
        return ControllerApplication.webhookUri(context);
    }

    /** Key first, as a secret's volume is not: both files of one moment, or the old pair stays. */
    private BigInteger bring() throws Exception {
        KeyPair pair = keyPair();
        BigInteger serial = new BigInteger(63, new SecureRandom());
        byte[] certificate = certificate(new X500Name("CN=webhook"), serial, pair.getPublic());
        write("tls.key", pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        write("tls.crt", pem("CERTIFICATE", certificate));
        return serial;
    }

    /** Signed by the authority; for this machine. */
    private byte[] certificate(X500Name subject, BigInteger serial, PublicKey key)
            throws OperatorCreationException, IOException {
        return new JcaX509v3CertificateBuilder(
                        AUTHORITY,
                        serial,
                        Date.from(Instant.now().minusSeconds(60)),
                        Date.from(Instant.now().plusSeconds(3600)),
                        subject,
                        key)
                .addExtension(
                        Extension.basicConstraints,
                        true,
                        new BasicConstraints(subject.equals(AUTHORITY)))
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")))
                .build(
                        new JcaContentSignerBuilder("SHA256withECDSA")
                                .build(authorityKey.getPrivate()))
                .getEncoded();
    }

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        what,
                        Base64.getMimeEncoder(64, new byte[] {10}).encodeToString(content),
                        what);
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text, StandardCharsets.US_ASCII);
    }

    private static Set<BigInteger> served(List<URI> replicas) throws Exception {
        Set<BigInteger> serials = new HashSet<>();
        for (URI replica : replicas) {
            serials.add(served(replica));
        }
        return serials;
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
