package io.coil.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

class HttpsTransportTest {
    private final HttpsTransport transport = new HttpsTransport();
    private HttpsServer server;
    private X509Certificate certificate;

    @BeforeEach
    void start() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        certificate = certificate(keys, "hook.default.svc");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("key", keys.getPrivate(), new char[0], new Certificate[] {certificate});
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/echo",
                exchange -> {
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        transport.close();
    }

    @Test
    void theNameOfTheServiceCountsNotTheAddress() throws Exception {
        assertThat(call("/echo", "hook.default.svc", pem())).isEqualTo("hello");
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        assertThatThrownBy(() -> call("/echo", "other.default.svc", pem()))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("certificate is not valid for other.default.svc");
    }

    @Test
    void anUnknownAuthorityIsRefused() {
        assertThatThrownBy(() -> call("/echo", "hook.default.svc", ""))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anythingButOkIsAFailure() {
        assertThatThrownBy(() -> call("/nothing", "hook.default.svc", pem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("404");
    }

    private String call(String path, String name, String caBundle) throws Exception {
        URI uri = URI.create("https://localhost:" + server.getAddress().getPort() + path);
        return transport.call(
                new WebhookTransport.Call(uri, name, caBundle, "hello", Duration.ofSeconds(10)));
    }

    private String pem() throws Exception {
        String text = Base64.getMimeEncoder().encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n";
    }

    private static X509Certificate certificate(KeyPair keys, String name) throws Exception {
        X500Name subject = new X500Name("CN=test");
        Instant now = Instant.now();
        var builder =
                new JcaX509v3CertificateBuilder(
                        subject,
                        BigInteger.ONE,
                        Date.from(now.minus(1, ChronoUnit.HOURS)),
                        Date.from(now.plus(1, ChronoUnit.HOURS)),
                        subject,
                        keys.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, name)));
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }
}
