package io.coil.sandbox.program;

import io.coil.apiserver.ApiEndpoint;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Connections to the API server, each as somebody. */
public final class Access {
    private final ApiEndpoint server;

    public Access(ApiEndpoint server) {
        this.server = server;
    }

    /** As the service account of that name in kube-system. */
    ClientKubeApi serviceAccount(String name) {
        return serviceAccount(name, name);
    }

    /** The same; {@code userAgent} says which of several programs it is. */
    ClientKubeApi serviceAccount(String name, String userAgent) {
        return withToken(server.token("system:serviceaccount:kube-system:" + name), userAgent);
    }

    /** A kubeconfig of that service account, readable by this user alone; the caller deletes it. */
    Path kubeconfig(String name) {
        String user = "system:serviceaccount:kube-system:" + name;
        try {
            Path file = Files.createTempFile("coil-", ".kubeconfig");
            file.toFile().deleteOnExit();
            Files.writeString(file, server.kubeconfig(user, server.token(user)));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ClientKubeApi administrator(String userAgent) {
        return withToken(server.adminToken(), userAgent);
    }

    public ClientKubeApi withToken(String token, String userAgent) {
        return withToken(token, userAgent, warning -> {});
    }

    /** The same, and hands on what the server warns of. */
    ClientKubeApi withToken(String token, String userAgent, Consumer<String> warnings) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        token,
                        new String(server.caCertificate(), StandardCharsets.US_ASCII),
                        userAgent),
                warnings);
    }
}
