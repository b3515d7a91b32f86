package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What an agent knows after its start, and what it does before it knows it. */
class RestartIT {

    @Test
    @DisplayName("A3: a pod whose status shows no address keeps it over a restart and a collection")
    void a3() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.pod("p1", "Pending");
            cluster.pod("p2", "Pending");
            assertThat(cluster.add("c1", "p1")).isEqualTo("10.1.0.0");
            assertThat(cluster.add("c2", "p2")).isEqualTo("10.1.0.1");
            cluster.n1.stopAgent();
            // The twin: no link, no record.
            cluster.kernel.cut(new ContainerKey("c2", "eth0"));

            cluster.n1.start();
            cluster.agent().collectNow();
            cluster.agent().collectNow();

            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0");
            assertThat(cluster.add("c3", "p3")).isEqualTo("10.1.0.1");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName(
            "A4: a DEL of a pod's earlier sandbox never frees what its successor has elsewhere")
    void a4() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            Machine n2 = cluster.another("n2", "172.18.0.3");
            assertThat(cluster.add("u1", "web-0")).isEqualTo("10.1.0.0");
            cluster.n1.stopAgent();
            assertThat(n2.add("u2", "web-0")).isEqualTo("10.1.0.2");
            n2.agent.collectNow();

            cluster.n1.start();
            cluster.del("u1", "web-0");
            n2.agent.collectNow();
            cluster.agent().collectNow();

            assertThat(cluster.n1.inUse()).isEmpty();
            assertThat(n2.inUse()).containsExactly("10.1.0.2");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("A14: the reuse delay holds over a restart, and the ADD that it fails names it")
    void a14() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.add-wait", "1s").start()) {
            cluster.pool("default", 1, "10.1.0.0/30", Map.of(Names.REUSE_DELAY, "30s"));
            assertThat(cluster.add("c1", "p1")).isEqualTo("10.1.0.0");
            cluster.del("c1", "p1");

            cluster.n1.restartAgent();

            assertThat(cluster.add("c2", "p2")).as("another free one").isEqualTo("10.1.0.1");
            cluster.n1.restartAgent();
            assertThat(cluster.add("c3", "p3")).as("of a new block").isEqualTo("10.1.0.2");
            assertThat(cluster.add("c4", "p4")).isEqualTo("10.1.0.3");
            CniReply reply = cluster.cni("ADD", "c5", "default", "p5", "/run/netns/c5");
            assertThat(reply.standardOutput())
                    .contains("\"code\":11")
                    .containsPattern("may be given again in 2\\d s \\(reuse delay\\)");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("A14: a lost journal costs the delay and the names, nothing else")
    void a14LostJournal() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.pool("default", 1, "10.1.0.0/31", Map.of(Names.REUSE_DELAY, "30s"));
            cluster.add("c1", "p1");
            cluster.add("c2", "p2");
            long since = Objects.requireNonNull(cluster.n1.assignment("c2")).sinceNanos();
            cluster.n1.restartAgent();

            Assignment restored = Objects.requireNonNull(cluster.n1.assignment("c2"));
            assertThat(restored.pod()).isEqualTo(new PodRef("default", "p2"));
            assertThat(Duration.ofNanos(Math.abs(restored.sinceNanos() - since)))
                    .as("the same moment")
                    .isLessThan(Duration.ofMillis(100));

            cluster.del("c1", "p1");
            cluster.n1.stopAgent();
            cluster.kernel.journal().lose();
            cluster.n1.start();

            assertThat(Objects.requireNonNull(cluster.n1.assignment("c2")).pod()).isNull();
            assertThat(cluster.add("c3", "p3")).isEqualTo("10.1.0.0");
            cluster.awaitInvariants();
        }
    }

    private interface Fault {
        void hit(Cluster cluster) throws Exception;
    }

    /** The agent restarts with two pods; whatever fails meanwhile, their block is not touched. */
    private static void restartsWithTwoPodsWhile(Fault fault, Fault before, Fault after)
            throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            List<String> both = List.of(cluster.add("c1", "p1"), cluster.add("c2", "p2"));
            String block = Meta.uid(cluster.blocks().getFirst().metadata());
            cluster.awaitNoRequests();
            cluster.n1.stopAgent();
            fault.hit(cluster);

            cluster.agent().start();
            before.hit(cluster);
            cluster.n1.awaitServing();
            after.hit(cluster);
            cluster.agent().collectNow();

            assertThat(cluster.n1.inUse()).containsExactlyElementsOf(both);
            assertThat(cluster.blocks())
                    .singleElement()
                    .satisfies(
                            b -> {
                                assertThat(Meta.uid(b.metadata())).isEqualTo(block);
                                assertThat(Meta.beingDeleted(b.metadata())).isFalse();
                            });
            cluster.awaitInvariants();
        }
    }

    private static final Fault NOTHING = cluster -> {};

    @Test
    @DisplayName("B9a: listing links fails once while the agent starts")
    void b9a() throws Exception {
        restartsWithTwoPodsWhile(
                cluster -> cluster.kernel.failNext("dump of links", 1), NOTHING, NOTHING);
    }

    @Test
    @DisplayName("B9b: the dump is interrupted again and again while the agent starts")
    void b9b() throws Exception {
        restartsWithTwoPodsWhile(
                cluster -> cluster.kernel.failNext("dump of", 3), NOTHING, NOTHING);
    }

    @Test
    @DisplayName("B9c: the API is away while the agent starts")
    void b9c() throws Exception {
        restartsWithTwoPodsWhile(
                cluster -> cluster.partition(Cluster.NODE),
                cluster -> {
                    await().during(Duration.ofSeconds(2))
                            .atMost(Duration.ofSeconds(5))
                            .until(() -> cluster.agent().notServing() != null);
                    cluster.heal();
                },
                NOTHING);
    }

    @Test
    @DisplayName("B9d: a collection is asked for while the agent starts: its part comes after")
    void b9d() throws Exception {
        GarbageCollection[] run = new GarbageCollection[1];
        restartsWithTwoPodsWhile(
                cluster -> {
                    run[0] = cluster.run("now", false, Cluster.NODE);
                    cluster.kernel.failNext("dump of", 2);
                },
                NOTHING,
                cluster ->
                        assertThat(cluster.part(Cluster.NODE, run[0]))
                                .extracting(RunItem::name)
                                .isEmpty());
    }

    @Test
    @DisplayName("C4: ten reboots with five pods and no DEL leave five addresses in one block")
    void c4() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.pool("default", 3, "10.1.0.0/28", Map.of());
            for (int reboot = 0; reboot < 10; reboot++) {
                for (int pod = 0; pod < 5; pod++) {
                    cluster.add("c%d-%d".formatted(reboot, pod), "p" + pod);
                }
                assertThat(cluster.n1.inUse()).hasSize(5);
                assertThat(cluster.blocks()).hasSize(1);
                cluster.n1.stopAgent();
                cluster.kernel.reboot();
                cluster.n1.start();
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName(
            "C5: while the record is rebuilt a DEL is answered with \"try again later\" at once")
    void c5() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.add("c2", "p2");
            cluster.n1.stopAgent();
            cluster.partition(Cluster.NODE);
            cluster.agent().start();
            long before = System.nanoTime();

            for (String command : List.of("DEL", "ADD", "CHECK")) {
                CniReply reply = cluster.cni(command, "c1", "default", "p1", "/run/netns/c1");
                assertThat(reply.exitCode()).isNotZero();
                assertThat(reply.standardOutput()).contains("\"code\":11");
            }

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(1));
            assertThat(cluster.kernel.links()).hasSize(2);
            cluster.heal();
            cluster.n1.awaitServing();
            cluster.del("c1", "p1");
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.1");
            // The one whose DEL never comes.
            cluster.kernel.cut(new ContainerKey("c2", "eth0"));
            cluster.awaitNoBlocks();
        }
    }
}
