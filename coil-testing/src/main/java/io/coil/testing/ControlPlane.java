package io.coil.testing;

import static org.awaitility.Awaitility.await;

import io.coil.apiserver.Kubeconfig;

import org.awaitility.core.ConditionTimeoutException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * etcd, kube-apiserver and kube-controller-manager on loopback, with our CRDs.
 *
 * <p>Of Kubernetes' own controllers there run those that collect garbage and empty namespaces. No
 * scheduler, no kubelet and none of the controllers that make pods or judge nodes: those are
 * simulated, or the test's business. The two admission plugins that only work together with such a
 * controller (service accounts, not-ready taints) are off.
 */
final class ControlPlane implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";

    /** Users with a token of their own from the start; the group, if any, stands behind. */
    private static final Map<String, String> USERS =
            Map.of(
                    "admin", "system:masters",
                    "viewer", "",
                    "anna", "",
                    "olga", "",
                    "nora", "");

    private static final String AUDIT =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - {level: Metadata, userGroups: ["system:serviceaccounts"]}
            - {level: None}
            """;

    private final Path directory;
    private final Map<String, String> tokens = new TreeMap<>();
    private final Deque<Child> children = new ArrayDeque<>();
    private final URI url;
    private final byte[] authority;
    private final HttpClient http;
    private final AdminCalls calls;

    /** Waits until all is ready; ends what was started when something is not. */
    static ControlPlane start(Path program, Path crds) throws IOException {
        return new ControlPlane(program, crds);
    }

    private ControlPlane(Path program, Path crds) throws IOException {
        directory =
                Files.createTempDirectory(
                        "coil-kubernetes",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        boolean started = false;
        try {
            USERS.keySet().forEach(user -> tokens.put(user, UUID.randomUUID().toString()));
            URI etcd = startEtcd(program);
            url = startApiServer(program, etcd);
            Path certificate = directory.resolve("certificates").resolve("apiserver.crt");
            ready("kube-apiserver", () -> Files.size(certificate) > 0);
            authority = Files.readAllBytes(certificate);
            http =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(Trust.in(authority))
                            .build();
            calls = new AdminCalls(url, http, token("admin"));
            ready("kube-apiserver", () -> calls.send("GET", "/readyz", "", "").code() == 200);
            applyDefinitions(crds);
            startControllerManager(program);
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private URI startEtcd(Path program) throws IOException {
        URI clients = URI.create("http://127.0.0.1:" + freePort());
        String peers = "http://127.0.0.1:" + freePort();
        start(
                program,
                "etcd",
                "--name=test",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=test=" + peers,
                "--unsafe-no-fsync",
                "--log-level=error");
        return clients;
    }

    private URI startApiServer(Path program, URI etcd) throws IOException {
        int port = freePort();
        StringBuilder users = new StringBuilder();
        tokens.forEach(
                (user, token) ->
                        users.append(
                                "%s,%s,%s,%s%n".formatted(token, user, user, USERS.get(user))));
        write("tokens.csv", users.toString());
        write("audit.yaml", AUDIT);
        writeServiceAccountKeys();
        start(
                program,
                "kube-apiserver",
                "--etcd-servers=" + etcd,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                // It needs one that is not loopback, and tells it to nobody.
                "--advertise-address=192.0.2.1",
                "--endpoint-reconciler-type=none",
                // Old versions stay: stale lists are made of them.
                "--etcd-compaction-interval=0",
                "--cert-dir=" + directory.resolve("certificates"),
                "--service-cluster-ip-range=10.96.0.0/16",
                "--authorization-mode=Node,RBAC",
                "--enable-admission-plugins=NodeRestriction",
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--token-auth-file=" + directory.resolve("tokens.csv"),
                "--service-account-issuer=" + ISSUER,
                "--service-account-key-file=" + directory.resolve("accounts.pub"),
                "--service-account-signing-key-file=" + directory.resolve("accounts.key"),
                "--audit-policy-file=" + directory.resolve("audit.yaml"),
                "--audit-log-path=" + auditLog(),
                "--audit-log-mode=blocking",
                "--profiling=false");
        return URI.create("https://127.0.0.1:" + port);
    }

    private void startControllerManager(Path program) throws IOException {
        Path kubeconfig =
                write(
                        "kubeconfig",
                        Kubeconfig.of(
                                "test",
                                url,
                                new String(authority, StandardCharsets.US_ASCII),
                                "admin",
                                token("admin")));
        start(
                program,
                "kube-controller-manager",
                "--kubeconfig=" + kubeconfig,
                "--controllers=garbage-collector-controller,namespace-controller",
                "--leader-elect=false",
                "--use-service-account-credentials=false",
                "--secure-port=0");
    }

    private void writeServiceAccountKeys() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair pair = generator.generateKeyPair();
            write("accounts.key", pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
            write("accounts.pub", pem("PUBLIC KEY", pair.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has elliptic curves", e);
        }
    }

    private static String pem(String what, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, lines, what);
    }

    /** Before the garbage collector starts: it looks for new kinds twice a minute only. */
    private void applyDefinitions(Path crds) throws IOException {
        try (Stream<Path> files = Files.list(crds)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                calls.expect(
                        201,
                        "POST",
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        "application/yaml",
                        Files.readString(file));
            }
        }
        ready(
                "custom resources",
                () ->
                        calls
                                .list("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
                                .stream()
                                .allMatch(
                                        crd ->
                                                crd.path("status")
                                                        .path("conditions")
                                                        .valueStream()
                                                        .anyMatch(
                                                                c ->
                                                                        c.path("type")
                                                                                        .asString()
                                                                                        .equals(
                                                                                                "Established")
                                                                                && c.path("status")
                                                                                        .asString()
                                                                                        .equals(
                                                                                                "True"))));
    }

    private Path write(String file, String text) throws IOException {
        return Files.writeString(directory.resolve(file), text);
    }

    private void start(Path program, String name, String... arguments) {
        children.push(Child.start(program, directory, name, List.of(arguments)));
    }

    private void ready(String what, Callable<Boolean> condition) {
        try {
            await(what)
                    .atMost(START)
                    .pollInterval(Duration.ofMillis(50))
                    .ignoreExceptions()
                    .failFast(() -> children.stream().anyMatch(child -> !child.alive()))
                    .until(condition);
        } catch (ConditionTimeoutException | org.awaitility.core.TerminalFailureException e) {
            StringBuilder words = new StringBuilder(what + " is not ready");
            children.forEach(child -> words.append('\n').append(child.lastWords()));
            throw new IllegalStateException(words.toString(), e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    URI url() {
        return url;
    }

    /** The certificate (PEM) by which clients know the server. */
    byte[] authority() {
        return authority.clone();
    }

    HttpClient http() {
        return http;
    }

    AdminCalls calls() {
        return calls;
    }

    /** What service accounts have done, a line of JSON each. */
    Path auditLog() {
        return directory.resolve("audit.log");
    }

    /** Of one of the users that there are from the start. */
    String token(String user) {
        String token = tokens.get(user);
        if (token == null) {
            throw new IllegalArgumentException(
                    "the real server knows %s and service accounts, not %s"
                            .formatted(tokens.keySet(), user));
        }
        return token;
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        Trees.delete(directory);
    }
}
