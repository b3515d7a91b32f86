package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.client.ClientSettings;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Json;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1RoleRef;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Only who has the right may take a block from a dead node; and nobody else waits for the webhook.
 */
@OnBothServers
class ReleaseRightIT {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Servers on;
    private Cluster cluster;
    private Replicas replicas;
    private KubeApi olga;
    private KubeApi anna;

    ReleaseRightIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on, b -> b.authorization(true));
        replicas = new Replicas(cluster);
        cluster.leader(); // so that the replica below stands by
        Webhooks.configure(cluster, Replicas.ports(replicas.start()));
        olga = user("olga", "get", "patch", "delete", "create", "release");
        anna = user("anna", "get", "patch", "delete", "create");
        cluster.node("n1");
    }

    @AfterEach
    void stop() {
        replicas.close();
        cluster.close();
    }

    @Test
    void whoMayPatchABlockMayNotReleaseItByForce() {
        String uid = Meta.uid(cluster.block("default", 0, "n1", "10.1.0.0/31").metadata());

        refused(
                () -> force(anna, uid + ";its machine is dead"),
                "user \"anna\" may not release the block default-0 by force",
                "verb \"release\" on addressblocks");
        force(olga, uid + ";its machine is dead");

        // what is there already is nobody's concern
        patch(anna, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        patch(anna, "{\"metadata\":{\"annotations\":{\"" + Names.FORCE + "\":null}}}");
        assertThat(Meta.annotations(block().metadata())).doesNotContainKey(Names.FORCE);
        // another value is another release
        force(olga, uid + ";its machine is dead");
        refused(() -> force(anna, uid + ";because I can"), "\"anna\"");
    }

    @Test
    void theAnnotationNamesThisBlockAndAReason() {
        String uid = Meta.uid(cluster.block("default", 0, "n1", "10.1.0.0/31").metadata());

        for (String value : List.of("", "yes", uid, uid + ";", uid + "; ", "another;reason")) {
            refused(() -> force(olga, value), "it must be \"" + uid + ";<reason>\"");
        }
    }

    @Test
    void aBlockIsNotMadeAsReleased() {
        refused(
                () ->
                        olga.create(
                                Kinds.BLOCKS,
                                new AddressBlock(
                                        Names.COIL_API,
                                        "AddressBlock",
                                        new V1ObjectMeta()
                                                .name("default-0")
                                                .annotations(Map.of(Names.FORCE, "x;y")),
                                        0,
                                        "10.1.0.0/31",
                                        null)),
                "a block that is made is not released");
    }

    @Test
    void aValueOfASwitchThatCannotBeUsedIsRefused() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");

        refused(() -> annotate(anna, Names.DRAIN, "maybe"), "\"maybe\"", "true or false");
        annotate(anna, Names.DRAIN, "true");
        refused(() -> annotateNode("perhaps"), "\"perhaps\"", "on, manual or off");
        annotateNode("manual");
    }

    @Test
    void neitherAGrantNorAReturnNorANodeWaitsForTheWebhook() {
        cluster.pool("default", 1, "10.1.0.0/29");
        cluster.block("default", 3, "n1", "10.1.0.6/31");
        String uid = Meta.uid(cluster.block("default", 0, "n1", "10.1.0.0/31").metadata());
        force(olga, uid + ";its machine is dead");
        replicas.close();

        // a grant, and a return
        assertThat(cluster.answer(cluster.request("r", "n1", "default")).complete()).isTrue();
        cluster.giveBack("default-1");
        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-1"));
        // a return of a block that carries the annotation
        cluster.giveBack("default-0");
        eventually(() -> !cluster.exists(Kinds.BLOCKS, "default-0"));
        // a Node is written, by its kubelet and by people
        cluster.ready("n1", false);
        annotateNode("manual");
        // but nobody gets around the right
        assertThatThrownBy(() -> annotate(anna, "default-3", Names.FORCE, "x;y"))
                .isInstanceOf(ApiFailure.class)
                .hasMessageContaining("failed calling webhook");
    }

    private KubeApi user(String name, String... verbs) {
        Kind<V1ClusterRole> roles =
                new Kind<>(RBAC, "v1", "clusterroles", "ClusterRole", false, V1ClusterRole.class);
        Kind<V1ClusterRoleBinding> bindings =
                new Kind<>(
                        RBAC,
                        "v1",
                        "clusterrolebindings",
                        "ClusterRoleBinding",
                        false,
                        V1ClusterRoleBinding.class);
        cluster.api.create(
                roles,
                new V1ClusterRole()
                        .apiVersion(roles.apiVersion())
                        .kind(roles.kind())
                        .metadata(new V1ObjectMeta().name(name))
                        .rules(
                                List.of(
                                        new V1PolicyRule()
                                                .apiGroups(List.of("coil.cybozu.com"))
                                                .resources(List.of("addressblocks"))
                                                .verbs(List.of(verbs)))));
        cluster.api.create(
                bindings,
                new V1ClusterRoleBinding()
                        .apiVersion(bindings.apiVersion())
                        .kind(bindings.kind())
                        .metadata(new V1ObjectMeta().name(name))
                        .addSubjectsItem(new RbacV1Subject().kind("User").apiGroup(RBAC).name(name))
                        .roleRef(new V1RoleRef().apiGroup(RBAC).kind("ClusterRole").name(name)));
        return ClientKubeApi.create(
                ClientSettings.direct(
                        cluster.server.url(),
                        cluster.server.token(name),
                        new String(cluster.server.caCertificate(), StandardCharsets.UTF_8),
                        name));
    }

    private AddressBlock block() {
        return cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow();
    }

    private static void force(KubeApi who, String value) {
        annotate(who, Names.FORCE, value);
    }

    private static void annotate(KubeApi who, String name, String value) {
        annotate(who, "default-0", name, value);
    }

    private static void annotate(KubeApi who, String block, String name, String value) {
        AddressBlock _ =
                who.patch(
                        Kinds.BLOCKS,
                        null,
                        block,
                        Preconditions.NONE,
                        Json.write(Map.of("metadata", Map.of("annotations", Map.of(name, value)))));
    }

    private static void patch(KubeApi who, String patch) {
        AddressBlock _ = who.patch(Kinds.BLOCKS, null, "default-0", Preconditions.NONE, patch);
    }

    private void annotateNode(String mode) {
        V1Node _ =
                cluster.api.patch(
                        Kinds.NODES,
                        null,
                        "n1",
                        Preconditions.NONE,
                        Json.write(
                                Map.of(
                                        "metadata",
                                        Map.of("annotations", Map.of(Names.COLLECTION, mode)))));
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContainingAll(words);
    }
}
