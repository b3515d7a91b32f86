package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

import java.util.List;
import java.util.Map;

/** The API server asks the webhook over TLS; the controller that answers need not lead. */
@OnBothServers
class AdmissionIT {
    private final Servers on;
    private Cluster cluster;
    private Replicas replicas;
    private ConfigurableApplicationContext application;

    AdmissionIT(Servers on) {
        this.on = on;
    }

    @BeforeEach
    void start() {
        cluster = new Cluster(on);
        cluster.leader(); // so that the application below stands by
        replicas = new Replicas(cluster);
        application = replicas.start();
        assertThat(application.getBean(Controller.class).isLeader()).isFalse();
        Webhooks.configure(cluster, Replicas.ports(application));
    }

    @AfterEach
    void stop() {
        replicas.close();
        cluster.close();
    }

    @Test
    void aNewPoolHasItsFinalizerFromTheStart() {
        AddressPool pool = cluster.pool("default", 1, "10.1.0.0/29");

        assertThat(Meta.finalizers(pool.metadata())).containsExactly(Names.FINALIZER);
    }

    @Test
    void d5AnOverlappingPoolIsRefusedAndTheOtherIsNamed() {
        cluster.pool("default", 1, "10.1.0.0/29");

        refused(() -> cluster.pool("b", 0, "10.1.0.4/30"), "10.1.0.4/30", "default");
        refused(() -> cluster.pool("c", 0, "10.7.0.0/30", "10.7.0.2/31"), "10.7.0.2/31");
        assertThat(cluster.exists(Kinds.POOLS, "b")).isFalse();
    }

    @Test
    void a10APoolOverBlocksThatStillExistIsRefusedAndTheBlockIsNamed() {
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        eventually(() -> application.getBean(Controller.class).view().block("default-0") != null);

        refused(() -> cluster.pool("other", 1, "10.1.0.0/28"), "default-0");
        cluster.pool("default", 1, "10.1.0.0/29");
    }

    @Test
    void d9HostBitsAndBlockSizesAreChecked() {
        refused(() -> cluster.pool("a", 40, "fd00::/64"), "40", "16");
        refused(() -> cluster.pool("b", 5, "10.1.0.0/29"), "3 host bits", "5");
        refused(() -> cluster.pool("c", 0, "10.1.0.0/33"), "10.1.0.0/33");
        refused(() -> cluster.pool("d", 0), "subnets");
        refused(() -> cluster.pool("p".repeat(64), 0, "10.1.0.0/29"), "64", "63");
        refused(
                () -> cluster.pool("e", Map.of(Names.COLLECTION, "maybe"), 0, "10.1.0.0/29"),
                "maybe",
                "on, manual or off");
    }

    @Test
    void a11AnUpdateIsJudgedOnlyOnWhatItChanges() {
        cluster.pool("default", 1, "10.1.0.0/29");

        refused(() -> patch("{\"spec\":{\"blockSizeBits\":2}}"), "blockSizeBits");
        refused(
                () -> patch("{\"spec\":{\"subnets\":[{\"ipv4\":\"10.5.0.0/29\"}]}}"),
                "10.1.0.0/29",
                "10.5.0.0/29");
        patch("{\"spec\":{\"subnets\":[{\"ipv4\":\"10.1.0.0/29\"},{\"ipv4\":\"10.5.0.0/29\"}]}}");
        patch("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    }

    @Test
    void aCollectionOfWhatDoesNotExistIsRefusedAndNothingIsCreated() {
        refused(
                () ->
                        cluster.run(
                                "bad",
                                new GarbageCollection.Spec(
                                        List.of("nowhere"), null, null, null, null, null)),
                "there is no node named nowhere");
        refused(
                () ->
                        cluster.run(
                                "noplan",
                                new GarbageCollection.Spec(null, null, null, true, "x", null)),
                "dryRun and plan exclude each other");
        assertThat(cluster.exists(Kinds.COLLECTIONS, "bad")).isFalse();
        cluster.run("good", new GarbageCollection.Spec(null, null, null, true, null, null));
    }

    @Test
    void thePoolIsDeletedAsUsual() {
        cluster.pool("default", 1, "10.1.0.0/29");

        cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

        eventually(() -> !cluster.exists(Kinds.POOLS, "default"));
    }

    private void patch(String patch) {
        cluster.api.patch(Kinds.POOLS, null, "default", Preconditions.NONE, patch);
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(ApiFailure.Rejected.class)
                .hasMessageContainingAll(words);
    }
}
