package io.coil.kubernetes.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;

import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the client's connection from the settings: who we are, TLS, time-outs, pools. */
final class Connection {
    /** Finds a dead HTTP/2 connection, on which watches would otherwise wait for ever. */
    private static final Duration PING = Duration.ofSeconds(15);

    /**
     * Kept for the next call. Where HTTP/2 is not spoken, as many calls as are under way at once
     * have a connection each; with fewer kept, most calls would begin with a TLS handshake.
     */
    private static final int IDLE = 64;

    private Connection() {}

    static ApiClient open(ClientSettings settings) {
        ApiClient client;
        try {
            client = builder(settings.server()).build();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read how to reach the API server: " + settings.server(), e);
        }
        return client.setHttpClient(tuned(client.getHttpClient(), settings));
    }

    private static ClientBuilder builder(ClientSettings.Server server) throws IOException {
        return switch (server) {
            case ClientSettings.Server.InCluster() -> ClientBuilder.cluster();
            case ClientSettings.Server.Kubeconfig(Path file) -> fromFile(file);
            case ClientSettings.Server.Direct direct -> direct(direct);
        };
    }

    private static ClientBuilder direct(ClientSettings.Server.Direct server) {
        ClientBuilder builder =
                new ClientBuilder()
                        .setBasePath(server.url().toString())
                        .setAuthentication(new AccessTokenAuthentication(server.token()));
        if (!server.authority().isEmpty()) {
            builder.setCertificateAuthority(server.authority().getBytes(StandardCharsets.UTF_8));
        }
        return builder;
    }

    private static ClientBuilder fromFile(Path file) throws IOException {
        try (Reader text = Files.newBufferedReader(file)) {
            KubeConfig config = KubeConfig.loadKubeConfig(text);
            config.setFile(file.toFile());
            return ClientBuilder.kubeconfig(config);
        }
    }

    /**
     * No retry below us: OkHttp would send a write a second time on another address of the server,
     * and the caller would take its own first success for a conflict.
     */
    private static OkHttpClient tuned(OkHttpClient client, ClientSettings settings) {
        List<Protocol> protocols =
                settings.http2()
                        ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                        : List.of(Protocol.HTTP_1_1);
        return client.newBuilder()
                .protocols(protocols)
                .retryOnConnectionFailure(false)
                .connectTimeout(settings.connectTimeout())
                .readTimeout(settings.callTimeout())
                .writeTimeout(settings.callTimeout())
                .callTimeout(settings.callTimeout())
                .pingInterval(PING)
                .connectionPool(new ConnectionPool(IDLE, 2, TimeUnit.MINUTES))
                .dispatcher(new Dispatcher())
                .build();
    }
}
