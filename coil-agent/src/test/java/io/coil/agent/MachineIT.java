package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** The machine, its Node, and what happens when they do not belong together (any more). */
class MachineIT {
    private static final String ON = "coil.agent.clear-routes-on-shutdown";

    @Test
    @DisplayName("A9: an agent that was told another node's name serves nobody, and says why")
    void a9() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.node("n2", "172.18.0.3");
            Machine n2 = cluster.machine("n2", "172.18.0.3");
            n2.stopAgentAndName("n1");

            n2.agent.start();

            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(
                            () ->
                                    assertThat(n2.agent.notServing())
                                            .contains("none of the InternalIPs of Node \"n1\""));
            CniReply reply = n2.cni("ADD", "c2", "default", "p2", "/run/netns/c2");
            assertThat(reply.standardOutput())
                    .contains("\"code\":11")
                    .contains("172.18.0.2")
                    .contains("COIL_NODE_NAME");
            assertThat(n2.cni("STATUS", "", "", "", "").standardOutput()).contains("\"code\":50");
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("n1"))
                                            .anyMatch(e -> "NotServing".equals(e.getReason())));
            assertThat(n2.kernel.exported()).isEmpty();
            cluster.assertInvariants();
        }
    }

    @Test
    @DisplayName(
            "A12: addresses in a block that a restored API gives to another node are reported, not used")
    void a12() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.add-wait", "500ms").startGranter()) {
            cluster.p2();
            Machine n2 = cluster.another("n2", "172.18.0.3");
            String address = n2.add("c1", "p1");
            cluster.awaitNoRequests();
            String uid = Meta.uid(cluster.blocks().getFirst().metadata());

            cluster.api.patch(
                    Kinds.BLOCKS,
                    null,
                    "default-0",
                    Preconditions.NONE,
                    "{\"metadata\":{\"labels\":{\"%s\":\"n1\"}}}".formatted(Names.NODE));

            await().until(() -> n2.agent.blocks().isEmpty());
            for (int start = 0; start < 2; start++) {
                assertThat(n2.add("c2", "p2")).as("of a block of its own").isEqualTo("10.1.0.2");
                assertThat(n2.inUse()).contains(address);
                assertThat(cluster.plan("n2"))
                        .filteredOn(i -> i.rule().equals(Rule.FOREIGN_ADDRESS.text()))
                        .singleElement()
                        .satisfies(
                                i -> {
                                    assertThat(i.name()).isEqualTo(address);
                                    assertThat(i.uid()).isEqualTo("c1");
                                    assertThat(i.outcome()).isEqualTo(RunItem.REPORTED);
                                });
                n2.restartAgent();
            }
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("n2"))
                                            .extracting(e -> e.getReason())
                                            .contains("BlockGone", "ForeignAddress"));
            assertThat(n2.kernel.links()).hasSize(2);
            assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
            assertThat(cluster.api.get(Kinds.BLOCKS, null, "default-0").orElseThrow())
                    .satisfies(
                            b -> {
                                assertThat(Meta.uid(b.metadata())).isEqualTo(uid);
                                assertThat(Meta.beingDeleted(b.metadata())).isFalse();
                            });
            n2.del("c1", "p1");
            assertThat(n2.inUse()).containsExactly("10.1.0.2");
        }
    }

    @Test
    @DisplayName(
            "C12: a node that returns after its block was released by force harms its new owner not")
    void c12() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.pool("default", 0, "10.1.0.0/32", java.util.Map.of());
            Machine n2 = cluster.another("n2", "172.18.0.3");
            assertThat(cluster.add("c1", "p1")).isEqualTo("10.1.0.0");
            cluster.awaitNoRequests();
            cluster.n1.stopAgent();
            cluster.api.delete(Kinds.BLOCKS, null, "default-0", Preconditions.NONE);
            cluster.api.patch(
                    Kinds.BLOCKS,
                    null,
                    "default-0",
                    Preconditions.NONE,
                    "{\"metadata\":{\"finalizers\":null}}");
            assertThat(n2.add("c2", "p2")).isEqualTo("10.1.0.0");

            cluster.n1.start();

            assertThat(cluster.kernel.exported()).as("before it serves").isEmpty();
            assertThat(cluster.plan("n1"))
                    .extracting(RunItem::rule)
                    .containsExactly(Rule.FOREIGN_ADDRESS.text());
            cluster.del("c1", "p1");
            assertThat(n2.inUse()).containsExactly("10.1.0.0");
            assertThat(n2.kernel.exported()).hasSize(1);
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("F4: an agent whose Node is gone empties the exported routes at its end")
    void f4NodeGone() throws Exception {
        try (Cluster cluster = new Cluster(ON, "true").start()) {
            holdsABlockAndStopsAfter(
                    cluster, () -> cluster.api.delete(Kinds.NODES, null, "n1", Preconditions.NONE));
            assertThat(cluster.kernel.exported()).isEmpty();
        }
    }

    @Test
    @DisplayName("F4: not at an ordinary restart")
    void f4OrdinaryRestart() throws Exception {
        try (Cluster cluster = new Cluster(ON, "true").start()) {
            holdsABlockAndStopsAfter(cluster, () -> {});
            assertThat(cluster.kernel.exported()).hasSize(1);
            cluster.n1.start();
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("F4: not when the API cannot say whether the Node is gone")
    void f4ApiAway() throws Exception {
        try (Cluster cluster = new Cluster(ON, "true").start()) {
            holdsABlockAndStopsAfter(cluster, () -> cluster.partition("n1"));
            assertThat(cluster.kernel.exported()).hasSize(1);
        }
    }

    @Test
    @DisplayName("F4: not when the setting is off")
    void f4Off() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            holdsABlockAndStopsAfter(
                    cluster, () -> cluster.api.delete(Kinds.NODES, null, "n1", Preconditions.NONE));
            assertThat(cluster.kernel.exported()).hasSize(1);
        }
    }

    private static void holdsABlockAndStopsAfter(Cluster cluster, Runnable what)
            throws InterruptedException {
        cluster.p2();
        cluster.add("c1", "p1");
        cluster.awaitNoRequests();
        what.run();
        cluster.n1.stopAgent();
    }

    @Test
    @DisplayName("F5: a node name and a pool name of 63 characters work")
    void f5() throws Exception {
        String node = "n".repeat(63);
        String pool = "p".repeat(63);
        try (Cluster cluster = new Cluster().startGranter()) {
            cluster.pool(pool, 1, "10.1.0.0/29", java.util.Map.of());
            cluster.namespace("long", pool);
            Machine machine = cluster.another(node, "172.18.0.3");

            assertThat(machine.addIn("long", "c1", "p1")).isEqualTo("10.1.0.0");

            machine.cni("DEL", "c1", "long", "p1", "/run/netns/c1");
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("F7: a renamed node exports nothing of its former name's blocks")
    void f7() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            assertThat(cluster.kernel.exported()).hasSize(1);
            cluster.node("n1b", "172.18.0.2");

            cluster.n1.stopAgentAndName("n1b");
            cluster.api.delete(Kinds.NODES, null, "n1", Preconditions.NONE);
            cluster.n1.start();

            assertThat(cluster.kernel.exported()).isEmpty();
            assertThat(cluster.agent().blocks()).isEmpty();
            assertThat(cluster.n1.add("c2", "p2")).isEqualTo("10.1.0.2");
            assertThat(cluster.blocks())
                    .filteredOn(b -> "n1".equals(b.node()))
                    .as("left to the controller")
                    .singleElement()
                    .satisfies(b -> assertThat(Meta.beingDeleted(b.metadata())).isFalse());
            assertThat(cluster.kernel.exported()).singleElement().hasToString("10.1.0.2/31");
        }
    }
}
