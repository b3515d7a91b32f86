package io.coil.testing;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.FaultProxy;
import io.coil.apiserver.Kubeconfig;
import io.coil.apiserver.fault.Faults;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.json.Json;
import io.coil.apiserver.rest.RequestLog;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A real kube-apiserver, empty but for our CRDs, for one test at a time. {@link #url()} leads
 * through a proxy, by which faults strike and calls are counted; {@link #directUrl()} does not.
 *
 * <p>One is started for this JVM when it is first wanted. Who opens it waits until nobody else has
 * it; closing it deletes all that was made.
 */
public final class RealServer implements ApiEndpoint {
    private static final String ACCOUNT = "system:serviceaccount:";

    /** Everything of a JVM's one server. */
    private record Shared(ControlPlane plane, Map<String, String> users, Semaphore free) {}

    /** Guarded by the class. */
    private static @Nullable Shared shared;

    private final Shared server;
    private final ControlPlane plane;
    private final FaultProxy proxy;
    private boolean closed;

    /** Waits until no other test has it. */
    public static RealServer open(Path program, Path crds) {
        Shared server = shared(program, crds);
        server.free().acquireUninterruptibly();
        boolean opened = false;
        try {
            RealServer mine = new RealServer(server);
            opened = true;
            return mine;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!opened) {
                server.free().release();
            }
        }
    }

    private static synchronized Shared shared(Path program, Path crds) {
        Shared there = shared;
        if (there == null) {
            try {
                ControlPlane plane = ControlPlane.start(program, crds);
                Runtime.getRuntime().addShutdownHook(new Thread(plane::close, "control plane"));
                Map<String, String> users = new ConcurrentHashMap<>();
                users.put(plane.token("admin"), "admin");
                there = new Shared(plane, users, new Semaphore(1));
                shared = there;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return there;
    }

    private RealServer(Shared server) throws IOException {
        this.server = server;
        this.plane = server.plane();
        this.proxy =
                FaultProxy.inFrontOf(
                        plane.url(),
                        plane.http(),
                        token -> Optional.ofNullable(server.users().get(token)));
    }

    @Override
    public URI url() {
        return proxy.url();
    }

    @Override
    public byte[] caCertificate() {
        return proxy.caCertificate();
    }

    /** The server itself. */
    public URI directUrl() {
        return plane.url();
    }

    public byte[] directCaCertificate() {
        return plane.authority();
    }

    @Override
    public String token(String user) {
        String token = user.startsWith(ACCOUNT) ? accountToken(user) : plane.token(user);
        server.users().put(token, user);
        return token;
    }

    /** As a pod gets it; the account is made if it is not there. */
    private String accountToken(String user) {
        String[] names = user.substring(ACCOUNT.length()).split(":", 2);
        String accounts = "/api/v1/namespaces/" + names[0] + "/serviceaccounts";
        AdminCalls calls = plane.calls();
        AdminCalls.Answer made =
                calls.send(
                        "POST",
                        accounts,
                        "application/json",
                        "{\"metadata\":{\"name\":\"%s\"}}".formatted(names[1]));
        if (made.code() != 201 && made.code() != 409) {
            throw new IllegalStateException(made.body());
        }
        return calls.expect(
                        201,
                        "POST",
                        accounts + "/" + names[1] + "/token",
                        "application/json",
                        "{\"spec\":{\"expirationSeconds\":7200}}")
                .json()
                .path("status")
                .path("token")
                .asString();
    }

    @Override
    public String adminToken() {
        return token("admin");
    }

    @Override
    public String viewerToken() {
        return token("viewer");
    }

    /** For the server itself: kubectl speaks more than JSON. */
    @Override
    public String kubeconfig(String user, String token) {
        String authority = new String(plane.authority(), StandardCharsets.US_ASCII);
        return Kubeconfig.of("real", plane.url(), authority, user, token);
    }

    @Override
    public String adminKubeconfig() {
        return kubeconfig("admin", adminToken());
    }

    @Override
    public Faults faults() {
        return proxy.faults();
    }

    @Override
    public RequestLog requests() {
        return proxy.requests();
    }

    @Override
    public ApiResponse.Whole administer(
            String method, String path, String contentType, String body) {
        AdminCalls.Answer answer = plane.calls().send(method, path, contentType, body);
        return new ApiResponse.Whole(answer.code(), Map.of(), answer.contentType(), answer.body());
    }

    /** What service accounts have done since the server was started, as the server logged it. */
    public List<JsonNode> audit() {
        try (var lines = Files.lines(plane.auditLog())) {
            return lines.map(Json.MAPPER::readTree).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes all that was made, and lets the next one have the server. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            proxy.close();
            new Sweep(plane.calls()).run();
        } finally {
            server.free().release();
        }
    }
}
