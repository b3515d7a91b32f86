package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** The agent against an API server, as the container runtime uses it. */
class AgentIT {

    @Test
    void anAddressIsGivenOutOfABlockThatWasAskedForAndTheBlockGoesBackWhenItIsEmpty()
            throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();

            String address = cluster.add("c1", "p1");

            assertThat(address).isEqualTo("10.1.0.0");
            assertThat(cluster.blockNames()).containsExactly("default-0");
            await().untilAsserted(
                            () ->
                                    assertThat(
                                                    cluster.api
                                                            .list(Kinds.REQUESTS, Selection.ALL)
                                                            .items())
                                            .isEmpty());
            cluster.assertInvariants();

            cluster.del("c1", "p1");

            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName(
            "A1: two ADDs at once never get one address, whatever is synced and collected meanwhile")
    void a1TwoAddsAtOnceNeverGetOneAddress() throws Exception {
        try (Cluster cluster = new Cluster().start();
                var runtime = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.p2();
            cluster.add("c0", "p0");
            cluster.del("c0", "p0");
            AtomicBoolean done = new AtomicBoolean();
            Future<?> collecting =
                    runtime.submit(
                            () -> {
                                while (!done.get()) {
                                    cluster.agent().collectNow();
                                }
                                return null;
                            });
            for (int round = 0; round < 50; round++) {
                String a = "a" + round;
                String b = "b" + round;
                List<Future<String>> both =
                        runtime.invokeAll(
                                List.<Callable<String>>of(
                                        () -> cluster.add(a, "pa"), () -> cluster.add(b, "pb")));
                Set<String> given = Set.of(both.get(0).get(), both.get(1).get());
                assertThat(given).hasSize(2);
                cluster.del(a, "pa");
                cluster.del(b, "pb");
                assertThat(cluster.agent().assignments()).isEmpty();
            }
            done.set(true);
            collecting.get();
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("A2: an ADD that lands during a collection keeps its address")
    void a2AnAddThatLandsDuringACollectionKeepsItsAddress() throws Exception {
        try (Cluster cluster = new Cluster().start();
                var runtime = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.p2();
            for (int round = 0; round < 100; round++) {
                String container = "c" + round;
                Future<?> collection =
                        runtime.submit(
                                () -> {
                                    cluster.agent().collectNow();
                                    return null;
                                });
                String address = cluster.add(container, "p6");
                collection.get();
                cluster.agent().collectNow();
                assertThat(cluster.agent().assignments())
                        .singleElement()
                        .satisfies(a -> assertThat(a.addresses().getFirst()).hasToString(address));
                cluster.del(container, "p6");
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("B4: an ADD that fails after its address was taken leaves nothing, 200 times")
    void b4AnAddThatFailsAfterItsAddressWasTakenLeavesNothing() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c0", "p0");
            cluster.del("c0", "p0");
            for (int round = 0; round < 200; round++) {
                String container = "c" + round;
                cluster.kernel.refuse(Set.of(container));

                CniReply reply = cluster.cni("ADD", container, "default", "p1", "/run/netns/x");

                assertThat(reply.standardOutput()).contains("\"code\":5");
                assertThat(cluster.agent().assignments()).isEmpty();
                assertThat(cluster.blocks()).hasSizeLessThanOrEqualTo(1);
            }
            cluster.kernel.refuse(Set.of());
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName(
            "C3: DEL without a network namespace, repeated, or of an unknown container succeeds")
    void c3DelWithoutNetnsOrOfAnUnknownContainerSucceedsAndCanBeRepeated() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");

            for (int i = 0; i < 3; i++) {
                CniReply reply = cluster.cni("DEL", "c1", "default", "p1", "");
                assertThat(reply.exitCode()).isZero();
                assertThat(cluster.agent().assignments()).isEmpty();
            }
            assertThat(cluster.cni("DEL", "unknown", "default", "p9", "").exitCode()).isZero();
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("G5: 1,000 ADDs and DELs inside held blocks write nothing to the API")
    void g5AddsAndDelsInsideHeldBlocksWriteNothing() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.report-interval", "1m").start()) {
            cluster.pool("default", 5, "10.1.0.0/24", Map.of());
            cluster.add("keeper", "keeper");
            await().untilAsserted(
                            () ->
                                    assertThat(
                                                    cluster.api
                                                            .list(Kinds.REQUESTS, Selection.ALL)
                                                            .items())
                                            .isEmpty());
            await().until(() -> cluster.api.get(Kinds.USAGES, null, Cluster.NODE).isPresent());
            cluster.server.requests().reset();

            for (int i = 0; i < 1000; i++) {
                cluster.add("c" + i, "p" + i % 7);
                cluster.del("c" + i, "p" + i % 7);
            }

            assertThat(cluster.server.requests().writes("agent-n1"))
                    .as("%s", cluster.server.requests())
                    .isLessThanOrEqualTo(1);
            cluster.assertInvariants();
        }
    }

    @Test
    void aRestartedAgentFindsItsContainersInTheKernel() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            String first = cluster.add("c1", "p1");
            String second = cluster.add("c2", "p2");

            cluster.n1.restartAgent();

            assertThat(cluster.agent().assignments()).hasSize(2);
            cluster.assertInvariants();
            assertThat(cluster.add("c1", "p1")).as("a repeated ADD").isEqualTo(first);
            assertThat(cluster.add("c3", "p3")).isNotIn(first, second);
            assertThat(cluster.cni("CHECK", "c2", "default", "p2", "/run/netns/c2").ok()).isTrue();
            for (int i = 1; i <= 3; i++) {
                cluster.del("c" + i, "p" + i);
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName(
            "D13: a pool that does not exist is said within a second, and nothing is asked for")
    void d13APoolThatDoesNotExistIsSaidAtOnceAndNothingIsAskedFor() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.namespace("lost", "nowhere");
            long before = System.nanoTime();

            CniReply reply = cluster.cni("ADD", "c1", "lost", "p1", "/run/netns/c1");

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(1));
            assertThat(reply.standardOutput())
                    .contains("\"code\":11")
                    .contains("there is no pool \\\"nowhere\\\"");
            assertThat(cluster.api.list(Kinds.REQUESTS, Selection.ALL).items()).isEmpty();

            await().untilAsserted(
                            () ->
                                    assertThat(
                                                    cluster.api
                                                            .list(Kinds.EVENTS, Selection.ALL)
                                                            .items())
                                            .anySatisfy(
                                                    e -> {
                                                        assertThat(e.getInvolvedObject().getName())
                                                                .isEqualTo("p1");
                                                        assertThat(e.getMessage())
                                                                .contains("no pool \"nowhere\"");
                                                    }));

            cluster.pool("nowhere", 0, "10.9.0.0/30", Map.of());
            assertThat(cluster.cni("ADD", "c2", "lost", "p1", "/run/netns/c2").ok()).isTrue();
            await().untilAsserted(cluster::assertInvariants);
        }
    }
}
