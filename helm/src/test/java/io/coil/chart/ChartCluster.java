package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.ApiEndpoint;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.rest.RequestLog;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.testing.RealServer;
import io.coil.testing.Servers;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** An API server that grants what the rendered chart grants, and nothing else. */
final class ChartCluster implements AutoCloseable {
    private static final String COIL = "/apis/coil.cybozu.com/v2/";
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private final Servers on;
    private @Nullable ApiEndpoint started;

    ChartCluster() {
        this(Servers.IN_JVM);
    }

    ChartCluster(Servers on) {
        this.on = on;
    }

    void start(RenderedChart chart) throws InterruptedException {
        started = on.open(builder -> builder.authorization(true));
        for (String namespace : List.of("kube-system", RenderedChart.NAMESPACE)) {
            apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace));
        }
        for (Node document : chart.documents()) {
            switch (document.text("kind")) {
                case "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding" ->
                        apply(new Yaml().dump(document.value()));
                default -> {}
            }
        }
        bind("anna", "coil-viewer");
        bind("olga", "coil-operator");
        bind("nora-looks", "nora", "coil-viewer");
        bind("nora", "coil-node-operator");
    }

    /** The documents of these kinds, as they are rendered. */
    void apply(RenderedChart chart, String... kinds) throws InterruptedException {
        for (Node document : chart.ofKind(kinds).toList()) {
            apply(new Yaml().dump(document.value()));
        }
    }

    private void bind(String user, String role) throws InterruptedException {
        bind(user, user, role);
    }

    private void bind(String name, String user, String role) throws InterruptedException {
        apply(
                """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding,
                 metadata: {name: %s}, subjects: [{kind: User, name: %s}],
                 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}}
                """
                        .formatted(name, user, role));
    }

    /** Creates one object, as the administrator; what is there already stays. */
    void apply(String yaml) throws InterruptedException {
        Node object = RenderedChart.parse(yaml).getFirst();
        ApiResponse.Whole answer = ask("POST", collection(object), yaml);
        assertThat(answer.code()).as("%s: %s", yaml, answer.body()).isIn(201, 409);
    }

    void delete(String plural, String name) throws InterruptedException {
        assertThat(ask("DELETE", COIL + plural + "/" + name, "").code()).isEqualTo(200);
    }

    boolean exists(String plural, String name) throws InterruptedException {
        return ask("GET", COIL + plural + "/" + name, "").code() == 200;
    }

    RequestLog requests() {
        return server().requests();
    }

    /** What users whose name begins so have asked for and may not do, as the server tells it. */
    List<String> refusals(String user) {
        Stream<String> seen =
                requests().counts().keySet().stream()
                        .filter(k -> k.user().startsWith(user))
                        .filter(k -> k.code() == 401 || k.code() == 403)
                        .map(RequestLog.Kind::toString);
        Stream<String> logged =
                server() instanceof RealServer real
                        ? real.audit().stream()
                                .filter(
                                        e ->
                                                e.path("user")
                                                        .path("username")
                                                        .asString()
                                                        .startsWith(user))
                                .filter(e -> e.path("responseStatus").path("code").asInt() == 403)
                                .map(e -> e.path("verb") + " " + e.path("requestURI"))
                        : Stream.empty();
        return Stream.concat(seen, logged).toList();
    }

    String token(String user) {
        return server().token(user);
    }

    ClientKubeApi api(String user) {
        return apiWith(token(user));
    }

    ClientKubeApi apiWith(String token) {
        String authority = new String(server().caCertificate(), StandardCharsets.US_ASCII);
        return ClientKubeApi.create(
                ClientSettings.direct(server().url(), token, authority, "chart-test"));
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }

    private ApiEndpoint server() {
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }

    private ApiResponse.Whole ask(String method, String path, String yaml)
            throws InterruptedException {
        return server().administer(method, path, yaml.isEmpty() ? "" : "application/yaml", yaml);
    }

    private static String collection(Node object) {
        String kind = object.text("kind");
        return switch (kind) {
            case "Namespace" -> "/api/v1/namespaces";
            case "Node" -> "/api/v1/nodes";
            case "ClusterRole" -> RBAC + "clusterroles";
            case "ClusterRoleBinding" -> RBAC + "clusterrolebindings";
            case "Role" -> RBAC + "namespaces/" + object.text("metadata", "namespace") + "/roles";
            case "RoleBinding" ->
                    RBAC + "namespaces/" + object.text("metadata", "namespace") + "/rolebindings";
            case "Secret" ->
                    "/api/v1/namespaces/" + object.text("metadata", "namespace") + "/secrets";
            case "MutatingWebhookConfiguration" -> ADMISSION + "mutatingwebhookconfigurations";
            case "ValidatingWebhookConfiguration" -> ADMISSION + "validatingwebhookconfigurations";
            case "AddressPool" -> COIL + "addresspools";
            case "AddressBlock" -> COIL + "addressblocks";
            case "BlockRequest" -> COIL + "blockrequests";
            default -> throw new IllegalArgumentException("no collection of " + kind);
        };
    }
}
