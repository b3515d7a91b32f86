package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.Meta;
import io.coil.testing.OnBothServers;
import io.coil.testing.Servers;
import io.kubernetes.client.openapi.models.V1Node;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;

/** Nodes that go and come back. */
@OnBothServers
@ExtendWith(SharedSandbox.class)
class NodesIT implements OnServer {
    private final Servers on;
    private static final String CONTROLLER = "system:serviceaccount:kube-system:coil-controller";

    NodesIT(Servers on) {
        this.on = on;
    }

    @Override
    public Servers on() {
        return on;
    }

    @Test
    @DisplayName("F1: a node comes back under its name, and the old deletion is heard late")
    void f1(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        String node = "coil-f1";
        operator.createNode(node);
        operator.awaitNode(node);
        operator.createBlock("test-pool", 0, "10.0.0.0/32", node);
        operator.soon(() -> assertThat(operator.exported(node)).hasSizeLessThanOrEqualTo(1));
        // The controllers hear of nodes three seconds late.
        operator.sandbox()
                .server()
                .faults()
                .add(
                        Scope.any().ofUser(CONTROLLER).onVerbs("watch").onResource("nodes"),
                        new Effect.WatchLag(Duration.ofSeconds(3)));
        operator.deleteNode(node);
        operator.createNode(node);
        operator.awaitNode(node);

        operator.createPod("test-ns", "p1", node);
        operator.awaitReady("test-ns", "p1");

        // Past every grace, the lag included: the new life's block is there, the old one is not.
        await().during(Duration.ofSeconds(6))
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(operator.isReady("test-ns", "p1")).isTrue());
        operator.soon(() -> assertThat(operator.blocksOn(node)).hasSize(1));
        operator.sandbox().server().faults().clear();
        operator.assertInvariants();
        operator.deletePod("test-ns", "p1");
        operator.deleteNode(node);
        operator.soon(() -> assertThat(operator.blocksOn(node)).isEmpty());
    }

    @Test
    @DisplayName("F2: a Node deleted by mistake and back before the grace costs no pod its address")
    void f2(Operator operator) {
        operator.createPool("test-pool", 0, "10.0.0.0/30");
        operator.createNamespace("test-ns", "test-pool");
        operator.createPod("test-ns", "p1", Operator.OTHER_NODE);
        String address = operator.awaitReady("test-ns", "p1").getStatus().getPodIP();
        String block = Meta.uid(operator.blocksOf("test-pool").getFirst().metadata());
        V1Node node = operator.api().get(Kinds.NODES, null, Operator.OTHER_NODE).orElseThrow();

        operator.deleteNode(Operator.OTHER_NODE);
        operator.createNode(Operator.OTHER_NODE);

        operator.soon(
                () ->
                        assertThat(
                                        operator.api()
                                                .get(Kinds.NODES, null, Operator.OTHER_NODE)
                                                .orElseThrow()
                                                .getMetadata()
                                                .getUid())
                                .isNotEqualTo(node.getMetadata().getUid()));
        await().during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(operator.blocksOf("test-pool"))
                                        .singleElement()
                                        .satisfies(
                                                b -> {
                                                    assertThat(Meta.uid(b.metadata()))
                                                            .isEqualTo(block);
                                                    assertThat(Meta.beingDeleted(b.metadata()))
                                                            .isFalse();
                                                }));
        assertThat(operator.pod("test-ns", "p1").getStatus().getPodIP()).isEqualTo(address);
        operator.awaitNode(Operator.OTHER_NODE);
        operator.assertInvariants();
    }
}
