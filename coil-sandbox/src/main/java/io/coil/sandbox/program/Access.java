package io.coil.sandbox.program;

import io.coil.apiserver.ApiServer;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;

import java.nio.charset.StandardCharsets;

/** Connections to the API server, each as somebody. */
public final class Access {
    private final ApiServer server;

    public Access(ApiServer server) {
        this.server = server;
    }

    /** As the service account of that name in kube-system. */
    ClientKubeApi serviceAccount(String name) {
        return withToken(server.token("system:serviceaccount:kube-system:" + name), name);
    }

    public ClientKubeApi administrator(String userAgent) {
        return withToken(server.adminToken(), userAgent);
    }

    public ClientKubeApi withToken(String token, String userAgent) {
        return ClientKubeApi.create(
                ClientSettings.direct(
                        server.url(),
                        token,
                        new String(server.caCertificate(), StandardCharsets.US_ASCII),
                        userAgent));
    }
}
