package io.coil.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.ApiServer;
import io.coil.apiserver.auth.Identity;
import io.coil.apiserver.http.ApiRequest;
import io.coil.apiserver.http.ApiResponse;
import io.coil.apiserver.rest.RequestLog;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An API server that grants what the rendered chart grants, and nothing else. */
final class ChartCluster implements AutoCloseable {
    private static final String COIL = "/apis/coil.cybozu.com/v2/";
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private @Nullable ApiServer started;

    void start(RenderedChart chart) throws IOException, InterruptedException {
        try (Stream<Path> crds = Files.list(Crds.FOLDER)) {
            started = ApiServer.builder().crds(crds.toList()).authorization(true).build().start();
        }
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}");
        apply(
                "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}"
                        .formatted(RenderedChart.NAMESPACE));
        for (Node document : chart.documents()) {
            switch (document.text("kind")) {
                case "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding" ->
                        apply(new Yaml().dump(document.value()));
                default -> {}
            }
        }
        bind("anna", "coil-viewer");
        bind("olga", "coil-operator");
    }

    /** The documents of these kinds, as they are rendered. */
    void apply(RenderedChart chart, String... kinds) throws InterruptedException {
        for (Node document : chart.ofKind(kinds).toList()) {
            apply(new Yaml().dump(document.value()));
        }
    }

    private void bind(String user, String role) throws InterruptedException {
        apply(
                """
                {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding,
                 metadata: {name: %s}, subjects: [{kind: User, name: %s}],
                 roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}}
                """
                        .formatted(user, user, role));
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

    private ApiServer server() {
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }

    private ApiResponse.Whole ask(String method, String path, String yaml)
            throws InterruptedException {
        return (ApiResponse.Whole)
                server().handle(
                                ApiRequest.of(
                                        method,
                                        path,
                                        Map.of("Content-Type", "application/yaml"),
                                        yaml,
                                        Identity.of("admin", List.of(Identity.MASTERS))));
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
