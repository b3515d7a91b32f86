package io.coil.controller;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The API as curl sees it: for what our client does not show, such as warnings. */
final class RawApi implements AutoCloseable {
    private final URI url;
    private final String token;
    private final HttpClient http;

    RawApi(URI url, String token, byte[] authority) {
        this.url = url;
        this.token = token;
        this.http = HttpClient.newBuilder().sslContext(trusting(authority)).build();
    }

    HttpResponse<String> send(String method, String path, String json)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(url.resolve(path))
                        .header("Authorization", "Bearer " + token)
                        .header(
                                "Content-Type",
                                method.equals("PATCH")
                                        ? "application/merge-patch+json"
                                        : "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static SSLContext trusting(byte[] authority) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "authority",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(authority)));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot trust the API server", e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
