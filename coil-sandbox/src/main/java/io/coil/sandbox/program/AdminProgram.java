package io.coil.sandbox.program;

import io.coil.admin.AdminApplication;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.cluster.Machine;
import io.coil.sandbox.cluster.Program;
import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The admin application behind pods of the component {@code coil-admin}. */
public final class AdminProgram implements Program.Starter {
    private final Access access;
    private final Starts starts;
    private final Map<String, Object> properties;
    private volatile @Nullable ConfigurableApplicationContext running;

    /**
     * @param stateDir where history is kept, unless a property says otherwise; null: in memory
     */
    AdminProgram(
            Access access,
            Starts starts,
            Map<String, String> properties,
            int port,
            @Nullable Path stateDir) {
        this.access = access;
        this.starts = starts;
        this.properties = new HashMap<>(properties);
        this.properties.put("server.port", port);
        this.properties.put("server.address", "127.0.0.1");
        this.properties.put("management.server.port", 0);
        this.properties.put("management.server.address", "127.0.0.1");
        this.properties.put("coil.admin.cluster", "sandbox");
        this.properties.putIfAbsent("coil.admin.history", history(stateDir));
    }

    private static String history(@Nullable Path stateDir) {
        return stateDir == null
                ? "jdbc:h2:mem:" + UUID.randomUUID()
                : "jdbc:h2:file:" + stateDir.toAbsolutePath().resolve("history");
    }

    @Override
    public Program start(V1Pod pod, Machine machine) throws InterruptedException {
        ClientKubeApi api = access.serviceAccount("coil-admin");
        Path kubeconfig = access.kubeconfig("coil-admin");
        Map<String, Object> all = new HashMap<>(properties);
        all.put("coil.kubeconfig", kubeconfig.toString()); // what the informer of namespaces uses
        ConfigurableApplicationContext context =
                starts.run(
                        pod,
                        () ->
                                AdminApplication.run(
                                        all,
                                        api,
                                        new VirtualThreads(),
                                        (token, warnings) ->
                                                access.withToken(token, "coil-admin", warnings)));
        running = context;
        return new ContextProgram(
                context,
                () -> true,
                () -> running = null,
                () -> {
                    api.close();
                    delete(kubeconfig);
                });
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the pages are; null while it does not run. */
    public @Nullable URI uri() {
        ConfigurableApplicationContext context = running;
        return context == null ? null : AdminApplication.uri(context);
    }

    /** Where health and metrics are; null while it does not run. */
    public @Nullable URI managementUri() {
        ConfigurableApplicationContext context = running;
        return context == null ? null : AdminApplication.managementUri(context);
    }

    /** A link that signs in as the token's owner, once; null while it does not run. */
    public @Nullable URI signInLink(String token) {
        ConfigurableApplicationContext context = running;
        return context == null ? null : AdminApplication.signInLink(context, token);
    }
}
