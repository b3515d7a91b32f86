package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.agent.kernel.PodLink;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Addresses: given, taken back, freed, and never lost. */
class AddressesIT {

    @Test
    @DisplayName("A5: what a pod's status says of its addresses frees none of them")
    void a5() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p6();
            assertThat(Machine.addresses(cluster.cni("ADD", "c1", "dual", "p1", "/run/netns/c1")))
                    .containsExactly("10.6.0.0", "fd06::");
            assertThat(Machine.addresses(cluster.cni("ADD", "c2", "dual", "p2", "/run/netns/c2")))
                    .containsExactly("10.6.0.1", "fd06::1");
            cluster.pod("p1", "Running", "10.6.0.0");
            cluster.pod("p2", "Running", "FD06:0:0:0::0001");

            cluster.agent().collectNow();
            await().during(Duration.ofMillis(700))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.n1.inUse().size() == 4);
            cluster.agent().collectNow();

            assertThat(cluster.n1.inUse())
                    .containsExactly("10.6.0.0", "10.6.0.1", "fd06::", "fd06::1");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("C1: an ADD that its caller has given up is undone by itself")
    void c1() throws Exception {
        CountDownLatch made = new CountDownLatch(1);
        try (Cluster cluster = new Cluster().start();
                var runtime = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.pool("default", 0, "10.1.0.0/32", Map.of());
            cluster.kernel.beforeAttach(link -> awaitUnless(link, "c1", made));
            Future<CniReply> late =
                    runtime.submit(() -> cluster.n1.addWithin(Duration.ofSeconds(1), "c1", "p1"));
            await().until(() -> cluster.n1.inUse().size() == 1);
            cluster.n1.time.jump(Duration.ofSeconds(1)); // its caller waits no more
            made.countDown();

            assertThat(late.get().standardOutput()).contains("\"code\":11").contains("undone");
            assertThat(cluster.kernel.links()).isEmpty();
            assertThat(cluster.n1.inUse()).isEmpty();
            assertThat(cluster.add("c2", "p2")).as("another pod can take it").isEqualTo("10.1.0.0");
            cluster.awaitInvariants();
        }
    }

    private static void awaitUnless(PodLink link, String container, CountDownLatch latch) {
        if (link.key().containerId().equals(container)) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    @DisplayName(
            "C11: with the API away the last DEL of a block is quick, and the block goes later")
    void c11() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            cluster.partition("n1");
            long before = System.nanoTime();

            cluster.del("c1", "p1");

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(cluster.n1.inUse()).isEmpty();
            await().during(Duration.ofMillis(700))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blocks().size() == 1);
            cluster.heal();
            await().atMost(Duration.ofSeconds(30)).until(() -> cluster.blocks().isEmpty());
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("E7: neither a pool that gets no answer nor a slow link delays others")
    void e7() throws Exception {
        CountDownLatch slowLink = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("coil.agent.add-wait", "3s").start();
                var runtime = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.pool("slow", 0, "10.2.0.0/24", Map.of());
            cluster.pool("fast", 5, "10.3.0.0/24", Map.of());
            cluster.namespace("slow", "slow");
            cluster.namespace("fast", "fast");
            cluster.granter.leaveUnanswered("slow");
            cluster.kernel.beforeAttach(link -> awaitUnless(link, "stuck", slowLink));
            List<Future<CniReply>> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String id = "s" + i;
                slow.add(
                        runtime.submit(
                                () -> cluster.cni("ADD", id, "slow", id, "/run/netns/" + id)));
            }
            slow.add(
                    runtime.submit(
                            () -> cluster.cni("ADD", "stuck", "fast", "stuck", "/run/netns/x")));

            List<Future<String>> fast = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String id = "f" + i;
                fast.add(runtime.submit(() -> cluster.n1.addIn("fast", id, id)));
            }
            for (Future<String> one : fast) {
                assertThat(one.get()).startsWith("10.3.0.");
            }
            assertThat(cluster.cni("DEL", "s99", "slow", "s99", "").ok()).isTrue();

            assertThat(slow).as("none of them has even given up").noneMatch(Future::isDone);
            slowLink.countDown();
            assertThat(slow.removeLast().get().ok()).isTrue();
            for (Future<CniReply> one : slow) {
                assertThat(one.get().standardOutput()).contains("no block of pool");
            }
            cluster.awaitNoRequests();
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("I4: what was just freed comes last, also after a restart")
    void i4() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.linger", "1m").start()) {
            cluster.pool("default", 2, "10.1.0.0/30", Map.of());
            for (String one : List.of("a", "b", "c")) {
                cluster.add(one, one);
            }
            for (String one : List.of("a", "b", "c")) {
                cluster.del(one, one);
            }

            assertThat(cluster.add("d", "d")).as("never given").isEqualTo("10.1.0.3");
            assertThat(cluster.add("e", "e")).as("freed first").isEqualTo("10.1.0.0");
            cluster.n1.restartAgent();
            assertThat(cluster.add("f", "f")).as("freed second").isEqualTo("10.1.0.1");
            cluster.awaitInvariants();
        }
    }
}
