package io.coil.kubernetes;

import io.coil.apiserver.ApiServer;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Crds;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An API server that serves our kinds, and clients of it that faults can be laid upon by name. */
public final class TestCluster implements AutoCloseable {
    public final ApiServer server;
    private final List<ClientKubeApi> clients = new ArrayList<>();

    public TestCluster() {
        this(Crds.yaml());
    }

    public TestCluster(String definitions) {
        byte[] yaml = definitions.getBytes(StandardCharsets.UTF_8);
        try {
            server = ApiServer.builder().crds(new ByteArrayInputStream(yaml)).build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client of its own, as a user of that name who may do everything. */
    public ClientKubeApi client(String user) {
        ClientSettings settings =
                ClientSettings.direct(
                                server.url(),
                                server.token(user, List.of("system:masters")),
                                new String(server.caCertificate(), StandardCharsets.US_ASCII),
                                user)
                        .withCallTimeout(Duration.ofSeconds(5));
        ClientKubeApi client = ClientKubeApi.create(settings);
        clients.add(client);
        return client;
    }

    public static AddressBlock block(String pool, int index, String node) {
        return new AddressBlock(
                Names.COIL_API,
                Kinds.BLOCKS.kind(),
                new V1ObjectMeta()
                        .name(pool + "-" + index)
                        .labels(Map.of(Names.POOL, pool, Names.NODE, node)),
                index,
                "10.1.%d.%d/32".formatted(index / 256, index % 256),
                null);
    }

    public static V1Node node(String name) {
        return new V1Node().metadata(new V1ObjectMeta().name(name));
    }

    @Override
    public void close() {
        clients.forEach(ClientKubeApi::close);
        server.close();
    }
}
