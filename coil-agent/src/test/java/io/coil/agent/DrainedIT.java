package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.resource.RunItem;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What an operator has said of a block or a pool holds. */
class DrainedIT {

    @Test
    void aDrainedBlockGivesNothingAndGoesWhenItIsEmpty() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.annotateBlock("default-0", Names.DRAIN, "true");
            await().until(() -> cluster.agent().blocks().getFirst().drainAsked());

            assertThat(cluster.add("c2", "p2")).isEqualTo("10.1.0.2");
            cluster.awaitInvariants();
            cluster.del("c1", "p1");

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-1")));
            cluster.awaitInvariants();
        }
    }

    @Test
    void aDrainedPoolGivesNothingKeepsNoSparesAndSaysWhy() throws Exception {
        try (Cluster cluster = new Cluster().start()) {
            AddressPool pool =
                    cluster.pool("default", 1, "10.1.0.0/29", Map.of(Names.SPARE_BLOCKS, "1"));
            cluster.add("c1", "p1");
            cluster.granter.grant(pool, "n1", null);
            await().until(() -> cluster.agent().blocks().stream().anyMatch(b -> b.spare()));

            cluster.annotatePool("default", Names.DRAIN, "true");

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-0")));
            CniReply refused = cluster.cni("ADD", "c2", "default", "p2", "/run/netns/c2");
            assertThat(refused.standardOutput()).contains("is being drained");
            await().untilAsserted(
                            () ->
                                    assertThat(cluster.eventsAbout("p2"))
                                            .anySatisfy(
                                                    e ->
                                                            assertThat(e.getMessage())
                                                                    .contains("being drained")));
            cluster.del("c1", "p1");
            cluster.awaitNoBlocks();
        }
    }

    @Test
    void withCollectionOffOnlyWhatSomebodyDeletedGoes() throws Exception {
        try (Cluster cluster = new Cluster("coil.collection", "off").start()) {
            AddressPool pool = cluster.p2();
            for (int i = 0; i < 3; i++) {
                cluster.granter.grant(pool, "n1", null);
            }
            await().until(() -> cluster.agent().blocks().size() == 3);
            cluster.annotateBlock("default-1", Names.DRAIN, "true");
            cluster.api.delete(Kinds.BLOCKS, null, "default-2", Preconditions.NONE);

            await().atMost(Duration.ofSeconds(5)).until(() -> cluster.blocks().size() == 2);
            assertThat(cluster.part("n1", cluster.run("all", false, "n1")))
                    .extracting(RunItem::outcome)
                    .containsOnly(RunItem.KEPT);
            assertThat(cluster.blockNames()).containsExactly("default-0", "default-1");
            // A pool that is being deleted waits for its blocks: they go under every mode.
            cluster.api.patch(
                    Kinds.POOLS,
                    null,
                    "default",
                    Preconditions.NONE,
                    "{\"metadata\":{\"finalizers\":[\"coil.cybozu.com\"]}}");
            cluster.api.delete(Kinds.POOLS, null, "default", Preconditions.NONE);
            cluster.awaitNoBlocks();
        }
    }

    @Test
    void aBlockThatIsReservedLaterGivesNothingAndStays() throws Exception {
        try (Cluster cluster = new Cluster("coil.agent.linger", "1s").start()) {
            cluster.p2();
            cluster.add("c1", "p1");
            cluster.awaitNoRequests();
            label("default-0", cluster, "\"true\"");
            await().until(() -> cluster.agent().blocks().getFirst().id().reserved());

            assertThat(cluster.add("c2", "p2")).isEqualTo("10.1.0.2");
            cluster.del("c1", "p1");
            cluster.del("c2", "p2");
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> cluster.blockNames().equals(List.of("default-0")));
            cluster.assertInvariants();

            label("default-0", cluster, "null");
            cluster.awaitNoBlocks();
        }
    }

    private static void label(String block, Cluster cluster, String value) {
        cluster.api.patch(
                Kinds.BLOCKS,
                null,
                block,
                Preconditions.NONE,
                "{\"metadata\":{\"labels\":{\"%s\":%s}}}".formatted(Names.RESERVED, value));
    }
}
