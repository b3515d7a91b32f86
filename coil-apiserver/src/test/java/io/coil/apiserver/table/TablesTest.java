package io.coil.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.json.Json;
import io.coil.apiserver.resource.ResourceRegistry;
import io.coil.apiserver.resource.ResourceType;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of the built-in types. */
class TablesTest {
    private static final ResourceRegistry TYPES = new ResourceRegistry();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private static String row(String group, String plural, String yaml) {
        ResourceType type = TYPES.find(group, "v1", plural).orElseThrow();
        ObjectNode table =
                Tables.of(
                        type,
                        List.of(YAML.readTree(yaml)),
                        Json.object(),
                        Tables.Include.NONE,
                        true,
                        Instant.parse("2026-01-01T00:01:00Z"));
        assertThat(table.at("/rows/0/cells")).hasSameSizeAs(table.at("/columnDefinitions"));
        return table.at("/rows/0/cells")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining(" | "));
    }

    private static final String META =
            "metadata: {name: x, creationTimestamp: '2026-01-01T00:00:00Z'}\n";

    @Test
    void aRunningPod() {
        assertThat(
                        row(
                                "",
                                "pods",
                                META
                                        + """
                                        spec: {nodeName: n1, containers: [{name: a}, {name: b}]}
                                        status:
                                          phase: Running
                                          podIP: 10.0.0.1
                                          containerStatuses: [{ready: true, restartCount: 2}, {ready: false}]
                                        """))
                .isEqualTo("x | 1/2 | Running | 2 | 60s | 10.0.0.1 | n1 | <none> | <none>");
    }

    @Test
    void aPodThatWaitsInitialisesFailedOrGoes() {
        assertThat(row("", "pods", META + "status: {phase: Pending}"))
                .contains("| 0/0 | Pending |");
        assertThat(
                        row(
                                "",
                                "pods",
                                META
                                        + "status: {phase: Pending, containerStatuses: [{state:"
                                        + " {waiting: {reason: ContainerCreating}}}]}"))
                .contains("| ContainerCreating |");
        assertThat(
                        row(
                                "",
                                "pods",
                                META
                                        + "spec: {initContainers: [{name: i}]}\n"
                                        + "status: {phase: Pending, initContainerStatuses: [{state:"
                                        + " {waiting: {reason: PodInitializing}}}]}"))
                .contains("| Init:0/1 |");
        assertThat(
                        row(
                                "",
                                "pods",
                                META
                                        + "status: {phase: Succeeded, containerStatuses: [{state:"
                                        + " {terminated: {reason: Completed, exitCode: 0}}}]}"))
                .contains("| Completed |");
        assertThat(
                        row(
                                "",
                                "pods",
                                "metadata: {name: x, deletionTimestamp: '2026-01-01T00:00:00Z'}\n"
                                        + "status: {phase: Running}"))
                .contains("| Terminating |");
    }

    @Test
    void nodes() {
        assertThat(
                        row(
                                "",
                                "nodes",
                                """
                                metadata:
                                  name: n1
                                  creationTimestamp: '2026-01-01T00:00:00Z'
                                  labels: {node-role.kubernetes.io/control-plane: ''}
                                spec: {unschedulable: true}
                                status:
                                  conditions: [{type: Ready, status: 'True'}]
                                  addresses: [{type: InternalIP, address: 192.168.0.1}]
                                  nodeInfo: {kubeletVersion: v1.32.0}
                                """))
                .isEqualTo(
                        "n1 | Ready,SchedulingDisabled | control-plane | 60s | v1.32.0 |"
                                + " 192.168.0.1 | <none> | <none> | <none> | <none>");
    }

    @Test
    void workloads() {
        String template =
                "template: {spec: {containers: [{name: a, image: i}, {name: b, image: j}]}}";
        assertThat(
                        row(
                                "apps",
                                "deployments",
                                META
                                        + "spec: {replicas: 2, selector: {matchLabels: {k: v}}, "
                                        + template
                                        + "}\n"
                                        + "status: {readyReplicas: 1, updatedReplicas: 2}"))
                .isEqualTo("x | 1/2 | 2 | 0 | 60s | a,b | i,j | k=v");
        assertThat(
                        row(
                                "apps",
                                "daemonsets",
                                META
                                        + "spec: {"
                                        + template
                                        + "}\nstatus: {desiredNumberScheduled: 3, numberReady: 2}"))
                .isEqualTo("x | 3 | 0 | 2 | 0 | 0 | <none> | 60s | a,b | i,j | <none>");
    }

    @Test
    void eventsOfEitherApi() {
        assertThat(
                        row(
                                "",
                                "events",
                                META
                                        + "lastTimestamp: '2026-01-01T00:00:50Z'\n"
                                        + "type: Warning\nreason: R\nmessage: m\ncount: 4\n"
                                        + "involvedObject: {kind: Pod, name: p}\n"
                                        + "source: {component: c}"))
                .isEqualTo("10s | Warning | R | pod/p | c | m | 4 | x");
        assertThat(
                        row(
                                "",
                                "events",
                                META
                                        + "eventTime: '2026-01-01T00:00:55.000000Z'\n"
                                        + "type: Normal\nreason: R\nnote: n\nregarding: {kind: Node,"
                                        + " name: p}"))
                .startsWith("5s | Normal | R | node/p");
    }

    @Test
    void othersWithColumnsOfTheirOwn() {
        assertThat(row("", "namespaces", META + "status: {phase: Active}"))
                .isEqualTo("x | Active | 60s");
        assertThat(row("coordination.k8s.io", "leases", META + "spec: {holderIdentity: me}"))
                .isEqualTo("x | me | 60s");
        assertThat(row("", "secrets", META + "type: Opaque\ndata: {a: b, c: d}"))
                .isEqualTo("x | Opaque | 2 | 60s");
        assertThat(
                        row(
                                "",
                                "services",
                                META
                                        + "spec: {type: ClusterIP, clusterIP: 10.9.9.9, ports:"
                                        + " [{port: 80}, {port: 53, protocol: UDP}]}"))
                .isEqualTo("x | ClusterIP | 10.9.9.9 | <none> | 80/TCP,53/UDP | 60s | <none>");
        assertThat(
                        row(
                                "rbac.authorization.k8s.io",
                                "clusterrolebindings",
                                META
                                        + "roleRef: {kind: ClusterRole, name: r}\nsubjects: [{kind:"
                                        + " User, name: u}, {kind: ServiceAccount, namespace: n,"
                                        + " name: s}]"))
                .isEqualTo("x | ClusterRole/r | 60s | u |  | n/s");
    }
}
