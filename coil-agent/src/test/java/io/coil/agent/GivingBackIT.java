package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Blocks that are empty go back, once. */
class GivingBackIT {

    @Test
    @DisplayName(
            "B7: an empty block beyond the spares goes back, and a spare stays and is shown as one")
    void b7AnEmptyBlockBeyondTheSparesGoesBackAndASpareStays() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            AddressPool pool = cluster.p2();
            cluster.add("c1", "p1");
            cluster.granter.grant(pool, Cluster.NODE, null);
            await().until(() -> cluster.agent().blocks().size() == 2);

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-0")));
            cluster.assertInvariants();

            cluster.api.patch(
                    Kinds.POOLS,
                    null,
                    "default",
                    Preconditions.NONE,
                    "{\"metadata\":{\"annotations\":{\"%s\":\"1\"}}}"
                            .formatted(Names.SPARE_BLOCKS));
            await().until(
                            () ->
                                    cluster.api
                                            .get(Kinds.POOLS, null, "default")
                                            .orElseThrow()
                                            .metadata()
                                            .getAnnotations()
                                            .containsKey(Names.SPARE_BLOCKS));
            cluster.granter.grant(pool, Cluster.NODE, null);
            await().until(
                            () ->
                                    cluster.agent().blocks().stream()
                                            .anyMatch(
                                                    b ->
                                                            b.id().name().equals("default-1")
                                                                    && b.spare()));
            for (int i = 0; i < 5; i++) {
                cluster.agent().collectNow();
            }
            assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
            cluster.assertInvariants();
        }
    }

    @Test
    @DisplayName("B13: three collections at once delete each block once")
    void b13CollectionsAtOnceDeleteEachBlockOnce() throws Exception {
        try (Cluster cluster =
                        new Cluster(
                                        "coil.agent.collection-interval",
                                        "1h",
                                        "coil.agent.linger",
                                        "1ms")
                                .start();
                var runtime = Executors.newVirtualThreadPerTaskExecutor()) {
            AddressPool pool = cluster.p2();
            for (int round = 0; round < 10; round++) {
                cluster.server.requests().reset();
                for (int i = 0; i < 4; i++) {
                    cluster.granter.grant(pool, Cluster.NODE, null);
                }
                List<Callable<Void>> three = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    three.add(
                            () -> {
                                cluster.agent().collectNow();
                                return null;
                            });
                }
                runtime.invokeAll(three);
                await().atMost(Duration.ofSeconds(10)).until(() -> cluster.blocks().isEmpty());
                assertThat(
                                cluster.server
                                        .requests()
                                        .sum(
                                                k ->
                                                        k.verb().equals("delete")
                                                                && k.resource()
                                                                        .startsWith("addressblocks")
                                                                && k.code() < 300))
                        .isEqualTo(4);
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    void quickRoundsOnAPoolOfOneAddressNeverFail() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.pool("default", 0, "10.1.0.0/32", Map.of());
            for (int i = 0; i < 200; i++) {
                assertThat(cluster.add("c" + i, "p")).isEqualTo("10.1.0.0");
                cluster.del("c" + i, "p");
            }
            cluster.awaitNoBlocks();
        }
    }

    @Test
    void aBlockThatSomebodyDeletesDrainsAndGoesWhenItIsEmpty() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.api.delete(Kinds.BLOCKS, null, "default-0", Preconditions.NONE);
            await().until(() -> cluster.agent().blocks().stream().anyMatch(b -> b.beingDeleted()));

            assertThat(cluster.add("c2", "p2")).as("no new address of it").isEqualTo("10.1.0.2");
            assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
            cluster.assertInvariants();

            cluster.del("c1", "p1");
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-1")));
            cluster.del("c2", "p2");
            cluster.awaitNoBlocks();
        }
    }
}
