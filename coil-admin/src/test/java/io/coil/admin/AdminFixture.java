package io.coil.admin;

import io.coil.admin.act.CallersApi;
import io.coil.apiserver.ApiServer;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The admin application on an API server in this JVM, as a person or a program meets it. */
final class AdminFixture implements AutoCloseable {
    final ApiServer server;
    final ClientKubeApi api;
    final ConfigurableApplicationContext admin;
    final URI url;
    final URI management;

    AdminFixture() {
        this(Map.of());
    }

    AdminFixture(Map<String, Object> settings) {
        this(settings, new VirtualThreads());
    }

    AdminFixture(Map<String, Object> settings, Timeline time) {
        try {
            server = ApiServer.builder().crds(List.of(Path.of("../helm/coil/crds"))).build();
            server.start();
            Path kubeconfig = Files.createTempFile("coil-admin", ".kubeconfig");
            Files.writeString(kubeconfig, server.adminKubeconfig());
            api = apiFor().apply(server.adminToken());
            Map<String, Object> properties = new HashMap<>();
            properties.put("server.port", "0");
            properties.put("management.server.port", "0");
            properties.put("coil.kubeconfig", kubeconfig.toString());
            properties.put("coil.admin.history", "jdbc:h2:mem:" + UUID.randomUUID());
            properties.putAll(settings);
            CallersApi callers = callersApi();
            admin = AdminApplication.run(properties, api, time, callers);
            url = AdminApplication.uri(admin);
            management = AdminApplication.managementUri(admin);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Function<String, ClientKubeApi> apiFor() {
        String authority = new String(server.caCertificate(), StandardCharsets.US_ASCII);
        URI place = server.url();
        return token ->
                ClientKubeApi.create(ClientSettings.direct(place, token, authority, "coil-admin"));
    }

    /** Knows where the server was, also when it is gone. */
    private CallersApi callersApi() {
        String authority = new String(server.caCertificate(), StandardCharsets.US_ASCII);
        URI place = server.url();
        return (token, warnings) ->
                ClientKubeApi.create(
                        ClientSettings.direct(place, token, authority, "coil-admin"), warnings);
    }

    /** A program with a token; null: without. */
    Client program(String token) {
        return new Client(url, token);
    }

    Client operator() {
        return program(server.adminToken());
    }

    Client viewer() {
        return program(server.viewerToken());
    }

    /** A browser, signed in. */
    Client browser(String token) {
        Client browser = new Client(url, "");
        browser.signIn(token);
        return browser;
    }

    @Override
    public void close() {
        admin.close();
        api.close();
        server.close();
    }
}
