package io.coil.bench.api;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.auth.Identity;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.Crds;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The API server that is measured: our own in this JVM, over HTTPS, or any by kubeconfig. */
public final class Target implements AutoCloseable {
    /** Long enough that a server under storm answers late rather than never. */
    private static final Duration CALL = Duration.ofSeconds(30);

    private final @Nullable ApiServer server;
    private final @Nullable Path kubeconfig;
    private final ConcurrentLinkedQueue<ClientKubeApi> clients = new ConcurrentLinkedQueue<>();

    private Target(@Nullable ApiServer server, @Nullable Path kubeconfig) {
        this.server = server;
        this.kubeconfig = kubeconfig;
    }

    /** {@code kubeconfig} null: a server in this JVM, gone when closed. */
    public static Target open(@Nullable Path kubeconfig) throws IOException {
        if (kubeconfig != null) {
            return new Target(null, kubeconfig);
        }
        ApiServer server =
                ApiServer.builder()
                        .crds(
                                new ByteArrayInputStream(
                                        Crds.yaml().getBytes(StandardCharsets.UTF_8)))
                        .build()
                        .start();
        return new Target(server, null);
    }

    /** One more client with connections of its own. */
    public ClientKubeApi client(String name) {
        ClientKubeApi client = ClientKubeApi.create(settings(name).withCallTimeout(CALL));
        clients.add(client);
        return client;
    }

    private ClientSettings settings(String name) {
        if (server != null) {
            return ClientSettings.direct(
                    server.url(),
                    server.token(name, List.of(Identity.MASTERS)),
                    new String(server.caCertificate(), StandardCharsets.UTF_8),
                    name);
        }
        if (kubeconfig != null) {
            return ClientSettings.kubeconfig(kubeconfig, name);
        }
        throw new IllegalStateException("neither a server nor a way to one");
    }

    public boolean inProcess() {
        return server != null;
    }

    @Override
    public String toString() {
        return kubeconfig == null
                ? "an API server in this JVM, over HTTPS"
                : "the API server of " + kubeconfig;
    }

    @Override
    public void close() {
        clients.forEach(ClientKubeApi::close);
        if (server != null) {
            server.close();
        }
    }
}
