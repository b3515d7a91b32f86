package io.coil.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.json.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class StrategicMergePatchTest {
    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    private static void assertPatched(String target, String patch, String expected) {
        ObjectNode before = yaml(target);
        ObjectNode after = StrategicMergePatch.apply(before, yaml(patch));
        assertThat(after).isEqualTo(yaml(expected));
        assertThat(before).isEqualTo(yaml(target));
    }

    private static ObjectNode yaml(String text) {
        return YAML.readTree(text).asObject();
    }

    @Test
    void containersAreMergedByNameAndEnvironmentInside() {
        assertPatched(
                "containers: [{name: a, image: x, env: [{name: E, value: '1'}]}, {name: b}]",
                "containers: [{name: a, env: [{name: E, value: '2'}, {name: F, value: '3'}]}]",
                """
                containers:
                  - {name: a, image: x, env: [{name: E, value: '2'}, {name: F, value: '3'}]}
                  - {name: b}
                """);
    }

    @Test
    void anItemIsDeletedByDirective() {
        assertPatched(
                "containers: [{name: a}, {name: b}]",
                "containers: [{name: a, $patch: delete}, {name: none, $patch: delete}]",
                "containers: [{name: b}]");
    }

    @Test
    void aListOrAnObjectIsReplacedByDirective() {
        assertPatched(
                "containers: [{name: a}, {name: b}]",
                "containers: [{name: c}, {$patch: replace}]",
                "containers: [{name: c}]");
        assertPatched(
                "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}",
                "strategy: {$patch: replace, type: Recreate}",
                "strategy: {type: Recreate}");
        assertPatched(
                "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}",
                "strategy: {$retainKeys: [type], type: Recreate}",
                "strategy: {type: Recreate}");
        assertPatched("a: {b: 1}\nc: 2", "a: {$patch: delete}", "c: 2");
    }

    @Test
    void finalizersAreASet() {
        assertPatched(
                "metadata: {finalizers: [a, b]}",
                "metadata: {finalizers: [b, c]}",
                "metadata: {finalizers: [a, b, c]}");
        assertPatched(
                "metadata: {finalizers: [a, b]}",
                "metadata: {$deleteFromPrimitiveList/finalizers: [a]}",
                "metadata: {finalizers: [b]}");
    }

    @Test
    void theOrderIsSet() {
        assertPatched(
                "containers: [{name: a}, {name: b}, {name: other}]",
                """
                $setElementOrder/containers: [{name: c}, {name: b}, {name: a}]
                containers: [{name: c}]
                """,
                "containers: [{name: c}, {name: b}, {name: other}, {name: a}]");
    }

    @Test
    void portsAreKnownByWhatTheObjectIs() {
        assertPatched(
                "{kind: Service, spec: {ports: [{port: 80, targetPort: 1}, {port: 81}]}}",
                "spec: {ports: [{port: 80, targetPort: 2}]}",
                "{kind: Service, spec: {ports: [{port: 80, targetPort: 2}, {port: 81}]}}");
        assertPatched(
                "{kind: Pod, ports: [{containerPort: 80, name: a}]}",
                "ports: [{containerPort: 80, name: b}]",
                "{kind: Pod, ports: [{containerPort: 80, name: b}]}");
    }

    @Test
    void conditionsAreMergedByTypeAndOwnersByUid() {
        assertPatched(
                "{conditions: [{type: A, status: x, reason: r}], ownerReferences: [{uid: u, name: n}]}",
                "{conditions: [{type: A, status: y}, {type: B}], ownerReferences: [{uid: v}]}",
                """
                conditions: [{type: A, status: y, reason: r}, {type: B}]
                ownerReferences: [{uid: u, name: n}, {uid: v}]
                """);
    }

    @Test
    void otherListsAreReplaced() {
        assertPatched(
                "tolerations: [{key: a}]", "tolerations: [{key: b}]", "tolerations: [{key: b}]");
        assertPatched("command: [a, b]", "command: [c]", "command: [c]");
    }

    @Test
    void nullRemovesAndNoDirectiveIsStored() {
        ObjectNode after =
                StrategicMergePatch.apply(
                        yaml("{a: 1, spec: {}}"),
                        yaml(
                                "{a: null, spec: {$setElementOrder/containers: [{name: a}],"
                                        + " containers: [{name: a, env: [{name: E, $patch: delete}]}]}}"));
        assertThat(after.has("a")).isFalse();
        assertThat(Json.MAPPER.writeValueAsString(after)).doesNotContain("$");
    }
}
