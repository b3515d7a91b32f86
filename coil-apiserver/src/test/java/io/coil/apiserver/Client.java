package io.coil.apiserver;

import io.coil.apiserver.json.Json;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Talks to a server over HTTPS as one user; trusts the server's authority and nobody else. */
final class Client implements AutoCloseable {
    private final ApiServer server;
    private final String token;
    private final HttpClient http;
    private final List<String> headers = new ArrayList<>();

    Client(ApiServer server, String token) {
        this.server = server;
        this.token = token;
        this.http =
                HttpClient.newBuilder()
                        .sslContext(trusting(server.caCertificate()))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
    }

    static Client admin(ApiServer server) {
        return new Client(server, server.adminToken());
    }

    /** Every further request carries that header. */
    Client with(String name, String value) {
        headers.add(name);
        headers.add(value);
        return this;
    }

    record Answer(int code, java.net.http.HttpHeaders headers, String text) {
        JsonNode json() {
            return Json.MAPPER.readTree(text);
        }

        String at(String pointer) {
            return json().at(pointer).asString("");
        }

        String message() {
            return at("/message");
        }
    }

    Answer get(String path) {
        return send("GET", path, "", "");
    }

    Answer post(String path, String json) {
        return send("POST", path, "application/json", json);
    }

    Answer put(String path, String json) {
        return send("PUT", path, "application/json", json);
    }

    Answer merge(String path, String json) {
        return send("PATCH", path, "application/merge-patch+json", json);
    }

    Answer delete(String path) {
        return send("DELETE", path, "", "");
    }

    Answer send(String method, String path, String contentType, String body) {
        try {
            return trySend(method, path, contentType, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @throws IOException when the server closes the connection without an answer
     */
    Answer trySend(String method, String path, String contentType, String body) throws IOException {
        try {
            HttpResponse<String> response =
                    http.send(request(method, path, contentType, body), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Frames of a watch, one a line, as they come. */
    Stream<String> stream(String path) {
        try {
            return http.send(request("GET", path, "", ""), BodyHandlers.ofLines()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest request(String method, String path, String contentType, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.url().resolve(path))
                        .timeout(Duration.ofSeconds(30))
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        return request.build();
    }

    private static SSLContext trusting(byte[] authority) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "authority",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(authority)));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
