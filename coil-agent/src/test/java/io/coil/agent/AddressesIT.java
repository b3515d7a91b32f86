package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.agent.kernel.PodLink;
import io.coil.core.garbage.Rule;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.net.Address;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.RunItem;

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
                    runtime.submit(() -> cluster.n1.addWithin(Duration.ofMillis(300), "c1", "p1"));
            await().until(() -> cluster.n1.inUse().size() == 1);
            await().pollDelay(Duration.ofMillis(400)).until(() -> true);
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
    @DisplayName("C1: if the agent died there, the address is freed at the second look")
    void c1AgentDied() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.grace", "1s").start()) {
            cluster.pool("default", 1, "10.1.0.0/31", Map.of());
            cluster.add("c0", "p0");
            cluster.n1.stopAgent();
            // The link was made, the answer never sent; its sandbox goes, no DEL ever comes.
            ContainerKey key = new ContainerKey("c1", "eth0");
            cluster.kernel.attach(
                    new PodLink(key, "default", "vethc1", List.of(Address.parse("10.1.0.1"))),
                    "/run/netns/c1");
            cluster.n1.start();
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0", "10.1.0.1");
            cluster.kernel.cut(key);

            cluster.agent().collectNow();
            assertThat(cluster.n1.inUse()).as("after the first look").hasSize(2);

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.n1.inUse().equals(List.of("10.1.0.0")));
            assertThat(cluster.agent().collected(Rule.VANISHED_CONTAINER)).isEqualTo(1);
            assertThat(cluster.add("c2", "p2")).isEqualTo("10.1.0.1");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("C2: the address of a forgotten sandbox is freed when its pod has a newer one")
    void c2() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.grace", "1s").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.add("c2", "p1");
            cluster.agent().collectNow();
            assertThat(cluster.n1.inUse()).as("both links are there").hasSize(2);
            cluster.kernel.cut(new ContainerKey("c1", "eth0"));

            cluster.agent().collectNow();
            assertThat(cluster.n1.inUse()).as("not before the grace").hasSize(2);

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.n1.inUse().equals(List.of("10.1.0.1")));
            assertThat(cluster.agent().collected(Rule.SUPERSEDED_SANDBOX)).isEqualTo(1);
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("n1"))
                                            .anySatisfy(
                                                    e ->
                                                            assertThat(e.getMessage())
                                                                    .contains(
                                                                            "superseded-sandbox",
                                                                            "10.1.0.0",
                                                                            "default/p1",
                                                                            "c2")));
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("C7: a finished pod is no evidence of use, and its deletion frees nothing")
    void c7() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            String address = cluster.add("c1", "live");
            cluster.pod("job", "Succeeded", address);
            cluster.pod("live", "Running", address);

            cluster.agent().collectNow();
            cluster.api.patch(
                    Kinds.PODS,
                    "default",
                    "job",
                    Preconditions.NONE,
                    "{\"metadata\":{\"finalizers\":null}}");
            cluster.api.delete(Kinds.PODS, "default", "job", Preconditions.NONE);
            cluster.agent().collectNow();
            await().pollDelay(Duration.ofMillis(400)).until(() -> true);
            cluster.agent().collectNow();

            assertThat(cluster.n1.inUse()).containsExactly(address);
            cluster.del("c1", "live");
            // The finished pod's status alone keeps nothing either.
            cluster.pod("job2", "Succeeded", address);
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("C9: a pod that is stuck Terminating keeps its address while its link is there")
    void c9() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.grace", "500ms").start()) {
            cluster.p2();
            cluster.add("c1", "web-7d9-x2");
            cluster.add("c2", "db-0");
            for (String pod : List.of("web-7d9-x2", "db-0")) {
                cluster.pod(pod, "Running");
                cluster.api.delete(Kinds.PODS, "default", pod, Preconditions.NONE);
            }
            cluster.agent().collectNow();
            await().pollDelay(Duration.ofMillis(700)).until(() -> true);
            cluster.agent().collectNow();
            assertThat(cluster.n1.inUse()).hasSize(2);
            assertThat(cluster.plan("n1")).isEmpty();

            cluster.kernel.cut(new ContainerKey("c2", "eth0"));

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.n1.inUse().equals(List.of("10.1.0.0")));
            assertThat(cluster.agent().collected(Rule.VANISHED_CONTAINER)).isEqualTo(1);
            cluster.awaitInvariants();
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

    @Test
    @DisplayName("H11: GC frees what the runtime does not list, in both spellings")
    void h11() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.linger", "1m").start()) {
            cluster.pool("default", 3, "10.1.0.0/29", Map.of());
            for (int i = 1; i <= 4; i++) {
                cluster.add("c" + i, "p" + i);
            }

            assertThat(cluster.n1.gc("").ok()).isTrue();
            assertThat(cluster.n1.inUse()).as("no list is no list").hasSize(4);

            assertThat(
                            cluster.n1
                                    .gc(attachments("cni.dev/valid-attachments", "c1", "c3", "c4"))
                                    .ok())
                    .isTrue();
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0", "10.1.0.2", "10.1.0.3");
            assertThat(cluster.n1.gc(attachments("cni.dev/attachments", "c1", "c3")).ok()).isTrue();
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.0", "10.1.0.2");

            CniReply bad = cluster.n1.gc(",\"cni.dev/valid-attachments\":[{\"ifname\":\"eth0\"}]");
            assertThat(bad.standardOutput()).contains("\"code\":7");
            assertThat(cluster.n1.inUse()).as("a bad list is none").hasSize(2);
            cluster.awaitInvariants();

            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments")).ok()).isTrue();
            assertThat(cluster.n1.inUse()).as("an empty list is meant").isEmpty();
            assertThat(cluster.kernel.links()).isEmpty();
        }
    }

    private static String attachments(String key, String... containers) {
        List<String> all = new ArrayList<>();
        for (String container : containers) {
            all.add("{\"containerID\":\"%s\",\"ifname\":\"eth0\"}".formatted(container));
        }
        return ",\"%s\":[%s]".formatted(key, String.join(",", all));
    }

    @Test
    @DisplayName(
            "H11: GC takes away a link of ours that the record does not know, and waits for no other container")
    void h11UnknownLink() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.kernel.attach(
                    new PodLink(
                            new ContainerKey("lost", "eth0"),
                            "default",
                            "vethlost",
                            List.of(Address.parse("10.1.0.1"))),
                    "/run/netns/lost");

            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments", "c1")).ok()).isTrue();

            assertThat(cluster.kernel.links())
                    .extracting(l -> l.key().containerId())
                    .containsExactly("c1");
            cluster.kernel.failNext("dump of links", 1);
            assertThat(cluster.n1.gc(attachments("cni.dev/valid-attachments")).standardOutput())
                    .contains("\"code\":5");
            assertThat(cluster.n1.inUse()).hasSize(1);
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("C6: a freed leak is counted once, and named in an event")
    void c6() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.grace", "500ms").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.add("c2", "p2");
            cluster.kernel.cut(new ContainerKey("c1", "eth0"));

            await().atMost(Duration.ofSeconds(5)).until(() -> cluster.n1.inUse().size() == 1);
            cluster.agent().collectNow();
            cluster.agent().collectNow();

            assertThat(cluster.agent().collected(Rule.VANISHED_CONTAINER)).isEqualTo(1);
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("n1"))
                                            .filteredOn(e -> e.getReason().equals("LeakCollected"))
                                            .singleElement()
                                            .satisfies(
                                                    e ->
                                                            assertThat(e.getMessage())
                                                                    .contains(
                                                                            "vanished-container",
                                                                            "10.1.0.0",
                                                                            "c1")));
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName(
            "C13: an address without its container is found by a plan, and kept in manual mode")
    void c13() throws Exception {
        try (Cluster cluster =
                new Cluster("coil.agent.grace", "300ms", "coil.collection", "manual").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.add("c2", "p2");
            assertThat(cluster.plan("n1")).isEmpty();
            cluster.kernel.cut(new ContainerKey("c1", "eth0"));

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(cluster.plan("n1"))
                                            .singleElement()
                                            .satisfies(
                                                    i -> {
                                                        assertThat(i.rule())
                                                                .isEqualTo("vanished-container");
                                                        assertThat(i.uid()).isEqualTo("c1");
                                                        assertThat(i.outcome())
                                                                .isEqualTo(RunItem.PLANNED);
                                                    }));
            assertThat(cluster.n1.inUse()).as("a plan frees nothing").hasSize(2);
            assertThat(cluster.part("n1", cluster.run("act", false, "n1")))
                    .extracting(RunItem::outcome)
                    .containsExactly(RunItem.DONE);
            assertThat(cluster.n1.inUse()).containsExactly("10.1.0.1");
            cluster.awaitInvariants();
        }
    }
}
