package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.controller.web.Ports;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * E6: admission works on every replica, with a certificate that is rotated without a failed call;
 * on a real kube-apiserver where that was built.
 */
class KeptCertificateIT {
    private static final Kind<V1Secret> SECRETS =
            new Kind<>("", "v1", "secrets", "Secret", true, V1Secret.class);
    private static final String[] KEPT = {
        "controller.webhook-secret", "kube-system/coil-webhook-tls",
        "controller.certificate-life", "12s",
        "controller.certificate-renew", "10s",
        "controller.certificate-settle", "300ms",
        "controller.certificate-look", "200ms"
    };

    private Cluster cluster;
    private Replicas replicas;

    @BeforeEach
    void start() {
        cluster = new Cluster(Servers.best());
        replicas = new Replicas(cluster);
    }

    @AfterEach
    void stop() {
        replicas.close();
        cluster.close();
    }

    @Test
    @DisplayName("E6: on every replica, through three rotations, no call fails")
    void e6NoCallFailsWhileTheCertificateIsRotated() throws Exception {
        // given two replicas, each asked about each pool
        List<Ports> ports =
                List.of(Replicas.ports(replicas.start(KEPT)), Replicas.ports(replicas.start(KEPT)));
        Webhooks.configure(cluster, ports.get(0), ports.get(1));
        eventually(() -> !trusted().isEmpty());
        cluster.pool("default", 1, "10.1.0.0/29");

        // when pools are written and connections made all the while, trusting what is
        // configured at that moment and nothing else
        List<Set<BigInteger>> served = List.of(new LinkedHashSet<>(), new LinkedHashSet<>());
        int calls = 0;
        for (long end = cluster.timeline.nanos() + Duration.ofSeconds(60).toNanos();
                served.stream().anyMatch(s -> s.size() < 4) && cluster.timeline.nanos() < end;
                calls++) {
            cluster.api.patch(
                    Kinds.POOLS,
                    null,
                    "default",
                    Preconditions.NONE,
                    "{\"metadata\":{\"labels\":{\"call\":\"" + calls + "\"}}}");
            for (int i = 0; i < ports.size(); i++) {
                served.get(i).add(serial(ports.get(i), trusted()));
            }
        }

        // then each has served four certificates, the same ones, and none failed
        assertThat(served).allSatisfy(s -> assertThat(s).hasSizeGreaterThanOrEqualTo(4));
        assertThat(served.get(0)).containsAnyElementsOf(served.get(1));
        // and those that have expired are trusted no more
        BigInteger first = served.get(0).iterator().next();
        Cluster.within(
                Duration.ofSeconds(20),
                () -> trusted().stream().noneMatch(c -> c.getSerialNumber().equals(first)));
    }

    @Test
    void twoThatStartAtOnceAgreeOnOneCertificate() throws Exception {
        List<Callable<Ports>> starts =
                List.of(
                        () -> Replicas.ports(replicas.start(longLived())),
                        () -> Replicas.ports(replicas.start(longLived())));
        List<Ports> ports = new ArrayList<>();
        for (Callable<Ports> each : starts) {
            ports.add(each.call());
        }
        Webhooks.configure(cluster, ports.get(0), ports.get(1));

        eventually(() -> trusted().size() == 1);

        X509Certificate only = trusted().getFirst();
        for (Ports each : ports) {
            eventually(() -> serial(each, trusted()).equals(only.getSerialNumber()));
        }
        assertThat(Objects.requireNonNull(secret().getData()))
                .containsOnlyKeys("ca.crt", "tls.crt", "tls.key");
        cluster.pool("default", 1, "10.1.0.0/29");
    }

    @Test
    void anEmptiedSecretIsFilledAgainAndNoCallFails() throws Exception {
        Ports ports = Replicas.ports(replicas.start(longLived()));
        Webhooks.configure(cluster, ports);
        eventually(() -> trusted().size() == 1);
        BigInteger before = trusted().getFirst().getSerialNumber();
        cluster.pool("default", 1, "10.1.0.0/29");

        V1Secret emptied = secret();
        emptied.setData(null);
        cluster.api.replace(SECRETS, emptied);

        Cluster.within(
                Duration.ofSeconds(10),
                () -> {
                    cluster.api.patch(
                            Kinds.POOLS,
                            null,
                            "default",
                            Preconditions.NONE,
                            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
                    return !serial(ports, trusted()).equals(before);
                });
        // what was served before may still be served by another replica
        assertThat(trusted()).hasSize(2);
    }

    @Test
    void aReplicaIsNotReadyBeforeItServesWhatCallersTrust() throws Exception {
        cluster.server
                .faults()
                .add(
                        FaultRule.of(
                                "no secret",
                                Scope.any().ofUserAgent("app1").onResource("secrets"),
                                Effect.unavailable()));
        Ports ports = Replicas.ports(replicas.start(longLived()));
        eventually(() -> ready(ports).body().contains("kube-system/coil-webhook-tls"));
        assertThat(ready(ports).statusCode()).isEqualTo(503);

        cluster.server.faults().clear();

        eventually(() -> ready(ports).statusCode() == 200);
    }

    private static String[] longLived() {
        String[] settings = KEPT.clone();
        settings[3] = "90d";
        settings[5] = "30d";
        return settings;
    }

    private HttpResponse<String> ready(Ports ports) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:" + ports.healthPort() + "/readyz"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private V1Secret secret() {
        return cluster.api.get(SECRETS, "kube-system", "coil-webhook-tls").orElseThrow();
    }

    /** What callers trust now, which is the same for every webhook. */
    private List<X509Certificate> trusted() throws GeneralSecurityException {
        V1ValidatingWebhookConfiguration configuration =
                cluster.api.get(Webhooks.VALIDATING, null, "coil").orElseThrow();
        byte[] bundle =
                Objects.requireNonNull(configuration.getWebhooks())
                        .getFirst()
                        .getClientConfig()
                        .getCaBundle();
        List<X509Certificate> certificates = new ArrayList<>();
        if (bundle != null) {
            for (Certificate each :
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bundle))) {
                certificates.add((X509Certificate) each);
            }
        }
        return certificates;
    }

    /** Connects anew, trusting these alone; the serial number of what was served. */
    private static BigInteger serial(Ports ports, List<X509Certificate> trusted)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate each : trusted) {
            store.setCertificateEntry(each.getSerialNumber().toString(), each);
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket("127.0.0.1", ports.webhookUri().getPort())) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber();
        }
    }
}
