package io.coil.kubernetes.client;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How the API server is reached.
 *
 * @param server where it is and who we are
 * @param userAgent name of the program, as the server's audit log shows it
 * @param connectTimeout for a connection, TLS included
 * @param callTimeout for a whole call; a watch is not bounded by it once it has begun
 * @param watchLife after this long, 20 % more or less, the server ends a watch, so that watches
 *     move to other replicas
 * @param watchSilence a watch on which nothing came for so long, not even a bookmark, is taken for
 *     dead; Kubernetes sends bookmarks every minute
 * @param http2 whether HTTP/2 is offered: one connection for everything
 */
public record ClientSettings(
        Server server,
        String userAgent,
        Duration connectTimeout,
        Duration callTimeout,
        Duration watchLife,
        Duration watchSilence,
        boolean http2) {

    /** Where the API server is, and who we are to it. */
    public sealed interface Server {
        /** The service account of the pod that we run in; its token is read anew every minute. */
        record InCluster() implements Server {}

        /** The current context of a file as kubectl has it. */
        record Kubeconfig(Path file) implements Server {}

        /**
         * Given outright.
         *
         * @param token bearer token
         * @param authority certificates in PEM that the server's must be signed by; empty: those
         *     that the JDK trusts
         */
        record Direct(URI url, String token, String authority) implements Server {
            @Override
            public String toString() {
                return "Direct[" + url + "]";
            }
        }
    }

    public static ClientSettings of(Server server, String userAgent) {
        return new ClientSettings(
                server,
                userAgent,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofMinutes(8),
                Duration.ofSeconds(100),
                true);
    }

    public static ClientSettings inCluster(String userAgent) {
        return of(new Server.InCluster(), userAgent);
    }

    public static ClientSettings kubeconfig(Path file, String userAgent) {
        return of(new Server.Kubeconfig(file), userAgent);
    }

    public static ClientSettings direct(URI url, String token, String authority, String userAgent) {
        return of(new Server.Direct(url, token, authority), userAgent);
    }

    /**
     * The usual search: the file that {@code KUBECONFIG} names, else the pod's service account,
     * else {@code ~/.kube/config}.
     */
    public static ClientSettings found(Map<String, String> environment, String userAgent) {
        String named = environment.getOrDefault("KUBECONFIG", "");
        if (!named.isEmpty()) {
            return kubeconfig(Path.of(named), userAgent);
        }
        if (environment.containsKey("KUBERNETES_SERVICE_HOST")) {
            return inCluster(userAgent);
        }
        String home = environment.getOrDefault("HOME", ".");
        return kubeconfig(Path.of(home, ".kube", "config"), userAgent);
    }

    public ClientSettings withCallTimeout(Duration most) {
        return new ClientSettings(
                server, userAgent, connectTimeout, most, watchLife, watchSilence, http2);
    }

    public ClientSettings withWatch(Duration life, Duration silence) {
        return new ClientSettings(
                server, userAgent, connectTimeout, callTimeout, life, silence, http2);
    }

    public ClientSettings withHttp1() {
        return new ClientSettings(
                server, userAgent, connectTimeout, callTimeout, watchLife, watchSilence, false);
    }
}
