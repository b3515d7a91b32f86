package io.coil.core.garbage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.coil.core.garbage.UsageScan.BlockUse;
import io.coil.core.garbage.UsageScan.NodeUse;
import io.coil.core.garbage.UsageScan.PoolUse;
import io.coil.core.garbage.UsageScan.Result;
import io.coil.core.garbage.UsageScan.Tally;
import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class UsageScanTest {
    private static final Duration LINGER = Duration.ofSeconds(30);
    private static final PoolSpec P2 =
            new PoolSpec("default", 1, List.of(new Subnet(Cidr.parse("10.1.0.0/29"), null)));
    private static final PoolUse POOL = new PoolUse("default", P2, 0, false);
    private static final NodeUse N1 = new NodeUse("n1", true, false);

    @Test
    void H1_poolsAndNodesAreCounted() {
        Result result =
                scan(
                        List.of(POOL, new PoolUse("unused", null, 0, false)),
                        List.of(N1, new NodeUse("n2", true, false)),
                        List.of(block(0, "n1", 1, null), block(1, "n1", 0, Duration.ZERO)));

        assertThat(result.perPool())
                .containsEntry("default", new Tally(2, 1, 4, 1, 0))
                .containsEntry("unused", new Tally(0, 0, 0, 0, 0));
        assertThat(result.perNode())
                .containsEntry("n1", new Tally(2, 1, 4, 1, 0))
                .containsEntry("n2", new Tally(0, 0, 0, 0, 0));
        assertThat(result.findings().total()).isZero();
    }

    @Test
    void B7_emptyBeyondLingerAndSparesIsSurplus() {
        List<BlockUse> blocks =
                List.of(
                        block(0, "n1", 1, null),
                        block(1, "n1", 0, Duration.ofSeconds(31)),
                        block(2, "n1", 0, Duration.ofMinutes(5)),
                        block(3, "n1", 0, Duration.ofSeconds(30)));

        assertThat(names(scan(List.of(POOL), List.of(N1), blocks)))
                .containsExactly("default-1", "default-2");
        // with a spare the one that was used last stays, and with three all do
        assertThat(names(scan(List.of(new PoolUse("default", P2, 2, false)), List.of(N1), blocks)))
                .containsExactly("default-2");
        // a pool that is being deleted has neither spares nor linger
        assertThat(names(scan(List.of(new PoolUse("default", P2, 2, true)), List.of(N1), blocks)))
                .containsExactlyInAnyOrder("default-1", "default-2", "default-3");
    }

    @Test
    void whatIsFoundDependsOnTheNode() {
        BlockUse reserved =
                new BlockUse(
                        "default-3",
                        "u3",
                        "default",
                        3,
                        "gone",
                        P2.blockAt(3),
                        0,
                        null,
                        true,
                        false);
        Result result =
                scan(
                        List.of(POOL),
                        List.of(new NodeUse("dead", false, true), new NodeUse("mute", true, true)),
                        List.of(
                                block(0, "gone", 1, null),
                                block(1, "dead", 1, null),
                                block(2, null, 0, null),
                                reserved));

        assertThat(result.findings().items())
                .extracting(Item::rule, Item::name, Item::outcome)
                .containsExactly(
                        tuple(Rule.ORPHAN_BLOCK, "default-0", Outcome.PLANNED),
                        tuple(Rule.DEAD_NODE_BLOCK, "default-1", Outcome.REPORTED),
                        tuple(Rule.ORPHAN_BLOCK, "default-2", Outcome.REPORTED),
                        tuple(Rule.SILENT_AGENT, "mute", Outcome.REPORTED));
        assertThat(result.perNode()).containsEntry("mute", new Tally(0, 0, 0, 0, 1));
    }

    @Test
    void rangesThatAreNotThePoolsAndThoseOfTwoAreReported() {
        BlockUse wrong =
                new BlockUse(
                        "default-2",
                        "u2",
                        "default",
                        2,
                        "n1",
                        BlockRange.parse("10.1.0.0/30", null),
                        1,
                        null,
                        false,
                        false);

        Result result = scan(List.of(POOL), List.of(N1), List.of(block(1, "n1", 1, null), wrong));

        assertThat(result.findings().items())
                .extracting(Item::rule, Item::name)
                .containsExactlyInAnyOrder(
                        tuple(Rule.OUT_OF_POOL, "default-2"),
                        tuple(Rule.OVERLAP, "default-2"),
                        tuple(Rule.OVERLAP, "default-1"));
        assertThat(result.perPool()).containsEntry("default", new Tally(2, 0, 6, 2, 3));
    }

    @Property(tries = 300)
    void overlapsAreThoseThatPairsShow(@ForAll long seed) {
        Random random = new Random(seed);
        Map<String, BlockRange> blocks = new HashMap<>();
        Overlaps overlaps = new Overlaps();
        for (int i = 0; i < 12; i++) {
            String ipv4 = "10.0.0." + random.nextInt(256) + "/" + (26 + random.nextInt(7));
            String ipv6 = "fd00::" + random.nextInt(100) + "/" + (120 + random.nextInt(9));
            BlockRange range =
                    BlockRange.parse(
                            random.nextBoolean() ? ipv4 : null,
                            random.nextBoolean() || i < 6 ? ipv6 : "fd01::" + i + "/128");
            blocks.put("b" + i, range);
            overlaps.add("b" + i, range);
        }

        Map<String, String> found = overlaps.find();

        blocks.forEach(
                (name, range) -> {
                    boolean meets =
                            blocks.entrySet().stream()
                                    .anyMatch(
                                            e ->
                                                    !e.getKey().equals(name)
                                                            && e.getValue().overlaps(range));
                    assertThat(found.containsKey(name)).isEqualTo(meets);
                    String other = found.get(name);
                    if (other != null) {
                        assertThat(blocks.get(other)).matches(r -> r != null && r.overlaps(range));
                    }
                });
    }

    @Test
    void itemsAreCappedAndCountsAreNot() {
        PoolSpec large =
                new PoolSpec("large", 0, List.of(new Subnet(Cidr.parse("10.0.0.0/16"), null)));
        List<BlockUse> blocks = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            blocks.add(
                    new BlockUse(
                            "large-" + i,
                            "u" + i,
                            "large",
                            i,
                            "n1",
                            large.blockAt(i),
                            0,
                            LINGER,
                            false,
                            false));
        }

        Result result = scan(List.of(new PoolUse("large", large, 0, false)), List.of(N1), blocks);

        assertThat(result.findings().items()).hasSize(Findings.LIMIT);
        assertThat(result.findings().count(Rule.SURPLUS_BLOCK)).isEqualTo(2_000);
        assertThat(result.perNode()).containsEntry("n1", new Tally(2_000, 2_000, 2_000, 0, 2_000));
    }

    private static Result scan(List<PoolUse> pools, List<NodeUse> nodes, List<BlockUse> blocks) {
        return UsageScan.scan(pools, nodes, blocks, LINGER);
    }

    private static List<String> names(Result result) {
        return result.findings().items().stream().map(Item::name).toList();
    }

    private static BlockUse block(
            int index, @Nullable String node, long used, @Nullable Duration emptyFor) {
        return new BlockUse(
                "default-" + index,
                "u" + index,
                "default",
                index,
                node,
                P2.blockAt(index),
                used,
                emptyFor,
                false,
                false);
    }
}
