package io.coil.sandbox.fault;

import io.coil.sandbox.CannotStart;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Talks to the running sandbox whose kubeconfig lies in a state directory. */
final class FaultClient {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final URI faults;
    private final String token;
    private final SSLContext trust;

    private FaultClient(URI faults, String token, SSLContext trust) {
        this.faults = faults;
        this.token = token;
        this.trust = trust;
    }

    static FaultClient of(Path stateDir) throws CannotStart {
        try {
            JsonNode config =
                    YAMLMapper.builder()
                            .build()
                            .readTree(Files.readString(stateDir.resolve("kubeconfig")));
            JsonNode cluster = config.path("clusters").path(0).path("cluster");
            return new FaultClient(
                    URI.create(cluster.path("server").asString() + "/faults"),
                    Files.readString(stateDir.resolve("admin.token")).strip(),
                    trust(cluster.path("certificate-authority-data").asString()));
        } catch (IOException e) {
            throw new CannotStart(
                    "no sandbox has been started with --state-dir %s: name the directory of the one that runs"
                            .formatted(stateDir));
        }
    }

    JsonNode list() throws CannotStart, InterruptedException {
        return call("GET", faults, "");
    }

    JsonNode add(JsonNode rule) throws CannotStart, InterruptedException {
        return call("POST", faults, rule.toString());
    }

    void clear() throws CannotStart, InterruptedException {
        call("DELETE", faults, "");
    }

    void remove(String id) throws CannotStart, InterruptedException {
        call("DELETE", URI.create(faults + "/" + id), "");
    }

    private JsonNode call(String method, URI uri, String body)
            throws CannotStart, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try (HttpClient http = HttpClient.newBuilder().sslContext(trust).build()) {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode answer =
                    response.body().isBlank()
                            ? JSON.createObjectNode()
                            : JSON.readTree(response.body());
            if (response.statusCode() >= 300) {
                throw new CannotStart(
                        answer.path("message")
                                .asString("the API server answers " + response.statusCode()));
            }
            return answer;
        } catch (IOException e) {
            throw new CannotStart(
                    "no sandbox answers at %s: start one with ./coil sandbox".formatted(faults));
        }
    }

    private static SSLContext trust(String authority) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(
                                            Base64.getDecoder().decode(authority))));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }
}
