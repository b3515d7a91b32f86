package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.List;
import java.util.Map;

/** Containers that went without a DEL, and those that only look so. */
class LostContainersIT {

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
            cluster.n1.time.jump(Duration.ofSeconds(1)); // more than the grace
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
            cluster.n1.time.jump(Duration.ofSeconds(1)); // more than the grace
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

    @Test
    @DisplayName("C6: an address whose link is gone is freed after two looks, not before the grace")
    void c6AnAddressWhoseLinkIsGoneIsFreedAfterTwoLooks() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.grace", "1s").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.kernel.cut(new ContainerKey("c1", "eth0"));

            cluster.agent().collectNow();
            assertThat(cluster.agent().assignments()).as("not before the grace").hasSize(1);

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> cluster.agent().assignments().isEmpty());
            cluster.awaitNoBlocks();
        }
    }
}
