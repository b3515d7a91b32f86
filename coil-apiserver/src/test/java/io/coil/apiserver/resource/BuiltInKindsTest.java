package io.coil.apiserver.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.apiserver.lifecycle.ApiStatusException;
import io.coil.apiserver.lifecycle.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

class BuiltInKindsTest {
    private final TestServer server = new TestServer();

    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: test-pod
              creationTimestamp: null
              labels: {app: web}
            spec:
              tolerations: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
              volumes: [{name: tmp, emptyDir: {}}]
              containers:
              - name: main
                image: ghcr.io/example/pause:3.9
                command: ["pause"]
                env: [{name: A, value: "1"}, {name: B, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
                ports: [{containerPort: 8080}]
                readinessProbe: {httpGet: {path: /healthz, port: 8080}}
                volumeMounts: [{name: tmp, mountPath: /tmp}]
            """;

    private static final String DEPLOYMENT =
            """
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}, creationTimestamp: null}
                spec:
                  containers: [{name: main, image: web, resources: {requests: {cpu: 10m}}}]
            """;

    @Test
    void anOrdinaryPodIsTakenAndCompleted() {
        ObjectNode pod = server.create("v1", "pods", "default", POD);

        assertThat(pod.path("spec").path("restartPolicy").asString()).isEqualTo("Always");
        assertThat(pod.path("spec").path("terminationGracePeriodSeconds").asInt()).isEqualTo(30);
        assertThat(pod.path("spec").path("serviceAccountName").asString()).isEqualTo("default");
        assertThat(
                        pod.path("spec")
                                .path("containers")
                                .path(0)
                                .path("ports")
                                .path(0)
                                .path("protocol")
                                .asString())
                .isEqualTo("TCP");
        assertThat(pod.path("status").path("phase").asString()).isEqualTo("Pending");
        assertThat(pod.path("metadata").has("generation")).isFalse();
    }

    @Test
    void anOrdinaryDeploymentIsTakenAndCompleted() {
        ObjectNode made = server.create("apps/v1", "deployments", "default", DEPLOYMENT);

        assertThat(made.path("spec").path("replicas").asInt()).isEqualTo(1);
        assertThat(made.path("spec").path("strategy").path("type").asString())
                .isEqualTo("RollingUpdate");
        assertThat(made.path("metadata").path("generation").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    spec: | specs: | unknown field "specs"
                    valueFrom | valueFr | unknown field "spec.containers[0].env[1].valueFr"
                    command: | comand: | unknown field "spec.containers[0].comand"
                    volumes: | volume: | unknown field "spec.volume"
                    labels: | label: | unknown field "metadata.label"
                    """)
    void aMisspeltFieldOfAPodIsRefused(String right, String wrong, String message) {
        String manifest = POD.replaceFirst(right, wrong);

        assertThatThrownBy(() -> server.create("v1", "pods", "default", manifest))
                .isInstanceOfSatisfying(
                        ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(400))
                .hasMessageContaining("strict decoding error: ")
                .hasMessageContaining(message);
    }

    @Test
    void aPodWithoutContainersIsRefused() {
        assertThatThrownBy(
                        () ->
                                server.create(
                                        "v1", "pods", "default", "{metadata: {name: p}, spec: {}}"))
                .hasMessage("Pod \"p\" is invalid: spec.containers: Required value");
    }

    @Test
    void aSelectorThatMissesItsOwnPodsIsRefused() {
        assertThatThrownBy(
                        () ->
                                server.create(
                                        "apps/v1",
                                        "deployments",
                                        "default",
                                        DEPLOYMENT.replaceFirst("app: web", "app: other")))
                .hasMessageContaining("`selector` does not match template `labels`");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1|namespaces|{metadata: {name: n, annotations: {a: b}}}",
                "v1|nodes|{metadata: {name: n}, spec: {taints: [{key: a, effect: NoSchedule}]}}",
                "coordination.k8s.io/v1|leases|{metadata: {name: l}, spec: {holderIdentity: me,"
                        + " leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z'}}",
                "v1|events|{metadata: {name: e}, involvedObject: {kind: Pod}, eventTime: null}",
                "v1|services|{metadata: {name: s}, spec: {ports: [{port: 443, targetPort: web}]}}",
                "v1|serviceaccounts|{metadata: {name: s}}",
                "v1|configmaps|{metadata: {name: c}, data: {a: b}}",
                "policy/v1|poddisruptionbudgets|{metadata: {name: p}, spec: {minAvailable: 50%}}",
                "rbac.authorization.k8s.io/v1|clusterroles|{metadata: {name: 'system:x'}, rules:"
                        + " [{verbs: [get], apiGroups: [''], resources: [pods]}]}",
                "rbac.authorization.k8s.io/v1|rolebindings|{metadata: {name: b}, roleRef: {kind:"
                        + " Role, name: r}, subjects: [{kind: User, name: u}]}",
            })
    void ordinaryObjectsOfOtherKindsAreTaken(String line) {
        String[] parts = line.split("\\|", 3);
        ResourceType type = server.type(parts[0], parts[1]);

        assertThatCode(
                        () ->
                                server.create(
                                        parts[0],
                                        parts[1],
                                        type.namespaced() ? "default" : null,
                                        parts[2]))
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        () ->
                                server.create(
                                        parts[0],
                                        parts[1],
                                        type.namespaced() ? "default" : null,
                                        "{metadata: {name: x}, nonsense: 1}"))
                .hasMessageContaining("unknown field \"nonsense\"");
    }

    @Test
    void plainTextOfASecretBecomesData() {
        ObjectNode made =
                server.create(
                        "v1", "secrets", "default", "{metadata: {name: s}, stringData: {a: b}}");

        assertThat(made.path("data").path("a").asString()).isEqualTo("Yg==");
        assertThat(made.has("stringData")).isFalse();
        assertThat(made.path("type").asString()).isEqualTo("Opaque");
    }
}
