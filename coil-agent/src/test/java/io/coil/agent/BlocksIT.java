package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.core.net.Cidr;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Blocks and their routes: adopted, drained, given back, taken away. */
class BlocksIT {

    @Test
    @DisplayName(
            "B14: a route without a block goes within one interval, a block without one gets it")
    void b14() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.kernel.export(Cidr.parse("10.9.0.0/24"));
            cluster.kernel.withdraw(Cidr.parse("10.1.0.0/31"));

            await().atMost(Duration.ofSeconds(5)).untilAsserted(cluster::assertInvariants);
        }
    }

    @Test
    @DisplayName(
            "B14: the route goes when somebody has taken the block away, and the container is named")
    void b14BlockTakenAway() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.collection-interval", "1h").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            cluster.kernel.failNext("route of", 2);

            cluster.api.patch(
                    Kinds.BLOCKS,
                    null,
                    "default-0",
                    Preconditions.NONE,
                    "{\"metadata\":{\"finalizers\":null}}");
            cluster.api.delete(Kinds.BLOCKS, null, "default-0", Preconditions.NONE);

            await().atMost(Duration.ofSeconds(10)).until(() -> cluster.kernel.exported().isEmpty());
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("n1"))
                                            .anySatisfy(
                                                    e ->
                                                            assertThat(e.getMessage())
                                                                    .contains(
                                                                            "default-0",
                                                                            "10.1.0.0",
                                                                            "default/p1")));
            assertThat(cluster.add("c2", "p2")).as("another has it").isNotEqualTo("10.1.0.0");
            cluster.del("c1", "p1");
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName("D11: a namespace that changes its pool gets the other one's addresses at once")
    void d11() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.pool("a", 2, "10.1.0.0/28", Map.of());
            cluster.pool("b", 2, "10.2.0.0/28", Map.of());
            cluster.namespace("shop", "a");
            assertThat(cluster.n1.addIn("shop", "c1", "p1")).isEqualTo("10.1.0.0");

            cluster.api.patch(
                    Kinds.NAMESPACES,
                    null,
                    "shop",
                    Preconditions.NONE,
                    "{\"metadata\":{\"annotations\":{\"%s\":\"b\"}}}"
                            .formatted(Names.NAMESPACE_POOL));
            int[] next = {2};
            await().atMost(Duration.ofSeconds(5))
                    .until(
                            () -> {
                                String id = "c" + next[0]++;
                                return cluster.n1.addIn("shop", id, id).startsWith("10.2.0.");
                            });

            for (int i = 1; i < next[0]; i++) {
                cluster.cni("DEL", "c" + i, "shop", "c" + i, "");
                if (i == next[0] - 2) {
                    await().atMost(Duration.ofSeconds(5))
                            .until(() -> cluster.blockNames().equals(List.of("b-0")));
                }
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName("C13: each kind of garbage of a node's blocks and routes is found alone")
    void c13() throws Exception {
        try (Cluster cluster = new Cluster("coil.collection", "manual").start()) {
            AddressPool pool = cluster.p2();
            cluster.granter.grant(pool, "n1", null);
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(cluster.plan("n1"))
                                            .as("a block that was never used")
                                            .singleElement()
                                            .satisfies(
                                                    i -> {
                                                        assertThat(i.rule())
                                                                .isEqualTo("surplus-block");
                                                        assertThat(i.outcome())
                                                                .isEqualTo(RunItem.PLANNED);
                                                        assertThat(i.evidence())
                                                                .contains("empty for");
                                                    }));
            cluster.add("c1", "p1");
            assertThat(cluster.plan("n1")).isEmpty();

            cluster.kernel.export(Cidr.parse("10.9.0.0/24"));
            assertThat(cluster.plan("n1"))
                    .as("a route of no block")
                    .extracting(RunItem::rule)
                    .containsExactly("stray-route");
            cluster.kernel.withdraw(Cidr.parse("10.9.0.0/24"));
            cluster.assertInvariants();

            // The pool is gone: an empty block of it goes by itself, under every mode.
            cluster.del("c1", "p1");
            cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
            cluster.awaitNoBlocks();
        }
    }

    @Test
    void aBlockGrantedWithoutARequestIsUsedAndGivenBackLikeAnyOther() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            AddressPool pool = cluster.p2();
            cluster.granter.grant(pool, "n1", "an-earlier-one");
            await().until(() -> cluster.agent().blocks().size() == 1);
            String uid = Meta.uid(cluster.blocks().getFirst().metadata());

            assertThat(cluster.add("c1", "p1")).isEqualTo("10.1.0.0");

            assertThat(cluster.blocks())
                    .singleElement()
                    .satisfies(b -> assertThat(Meta.uid(b.metadata())).isEqualTo(uid));
            cluster.del("c1", "p1");
            cluster.awaitNoBlocks();
        }
    }

    @Test
    @DisplayName(
            "A10: a block of a pool that vanished and came back gives nothing, and stays while it is used")
    void a10() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
            await().until(() -> cluster.api.get(Kinds.POOLS, null, "default").isEmpty());
            cluster.p2();

            await().atMost(Duration.ofSeconds(5))
                    .ignoreExceptionsInstanceOf(AssertionError.class)
                    .until(() -> cluster.add("c2", "p2").equals("10.1.0.2"));
            assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
            cluster.awaitInvariants();
            cluster.del("c1", "p1");

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-1")));
            cluster.awaitInvariants();
        }
    }

    @Test
    @DisplayName(
            "D3: a pool that is being deleted gives nothing, though its block has room, and says why")
    void d3() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            AddressPool pool = cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            cluster.api.patch(
                    Kinds.POOLS,
                    null,
                    "default",
                    Preconditions.of(pool.metadata()),
                    "{\"metadata\":{\"finalizers\":[\"coil.cybozu.com\"]}}");
            cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);

            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    cluster.cni(
                                                                    "ADD",
                                                                    "c2",
                                                                    "default",
                                                                    "p2",
                                                                    "/run/netns/c2")
                                                            .standardOutput())
                                            .contains("pool \\\"default\\\" is being deleted"));
            assertThat(cluster.cni("DEL", "c2", "default", "p2", "").ok()).isTrue();
            cluster.awaitNoRequests();
            cluster.assertInvariants();
            cluster.del("c1", "p1");
            cluster.awaitNoBlocks();
        }
    }
}
