package io.coil.apiserver.admission;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Webhooks over HTTPS; one client for each authority and server name. */
public final class HttpsTransport implements WebhookTransport {
    private record Peer(String caBundle, String serverName) {}

    private final Map<Peer, HttpClient> clients = new ConcurrentHashMap<>();

    @Override
    public String call(Call call) throws IOException, InterruptedException {
        Peer peer = new Peer(call.caBundle(), call.serverName());
        HttpClient client;
        try {
            client = clients.computeIfAbsent(peer, p -> client(call));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        HttpRequest request =
                HttpRequest.newBuilder(call.uri())
                        .timeout(call.timeout())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(call.body()))
                        .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the server answered " + response.statusCode());
        }
        return response.body();
    }

    private static HttpClient client(Call call) {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .sslContext(WebhookTrust.context(call.caBundle(), call.serverName()))
                    .build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the caBundle cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }
}
