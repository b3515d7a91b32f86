package io.coil.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class PoolLedgerTest {
    private static final PoolSpec P2 = pool("default", 1, "10.1.0.0/29", null);

    private final PoolLedger ledger = new PoolLedger();

    @Test
    void A7_whatExistsIsNotGrantedAgain() {
        ledger.put(block(P2, 0, "n1"));

        assertThat(chosen(P2)).isEqualTo(1);
    }

    @Test
    void theLowestFreeIndexIsChosenAgainOnceItIsFree() {
        for (int i = 0; i < 3; i++) {
            ledger.put(block(P2, i, "n1"));
        }
        assertThat(chosen(P2)).isEqualTo(3);

        ledger.remove("default-1");

        assertThat(chosen(P2)).isEqualTo(1);
    }

    @Test
    void H5_aFullPoolSaysWhoHasIt() {
        ledger.put(block(P2, 0, "n1"));
        ledger.put(block(P2, 1, "n1"));
        ledger.put(block(P2, 2, "n2"));
        ledger.put(block(P2, 3, "n3"));

        assertThat(ledger.choose(P2))
                .isInstanceOfSatisfying(
                        Choice.Exhausted.class,
                        exhausted ->
                                assertThat(exhausted.usage().sentence())
                                        .isEqualTo(
                                                "pool default: 4/4 blocks in use (n1: 2, n2: 1, n3: 1)"));
    }

    @Test
    void ofManyNodesTheLargestAreNamed() {
        PoolSpec pool = pool("p", 0, "10.2.0.0/28", null);
        for (int i = 0; i < 16; i++) {
            ledger.put(block(pool, i, "n" + (i < 9 ? 0 : i)));
        }

        assertThat(ledger.usage(pool).sentence())
                .isEqualTo(
                        "pool p: 16/16 blocks in use (n0: 9, n10: 1, n11: 1, n12: 1, n13: 1, 3 more nodes)");
    }

    @Test
    void A10_theIndexOfABlockThatOutlivedItsPoolIsTaken() {
        // given default-0 of a pool that vanished and was made anew
        ledger.put(new LedgerBlock("default-0", "old", "default", 0, range("10.1.0.0/31"), "n1"));

        assertThat(chosen(P2)).isEqualTo(1);
    }

    @Test
    void A11_blocksOfAnotherSizeAreWalkedAround() {
        // given a block of the time when blocks had 4 addresses
        ledger.put(new LedgerBlock("default-0", "old", "default", 0, range("10.1.0.0/30"), "n1"));

        // then the first index beyond its addresses is next, in blocks of 2
        assertThat(chosen(P2)).isEqualTo(2);

        // and once it is gone, the first
        ledger.remove("default-0");
        assertThat(chosen(P2)).isZero();
    }

    @Test
    void D5_blocksOfOverlappingPoolsNeverOverlap() {
        PoolSpec other = pool("b", 0, "10.1.0.0/29", null);
        ledger.put(block(P2, 0, "n1"));
        ledger.put(block(other, 2, "n2"));

        // other has 10.1.0.2, so default-1 is out; default has 10.1.0.0/31, so b-0 and b-1 are
        assertThat(chosen(P2)).isEqualTo(2);
        assertThat(chosen(other)).isEqualTo(3);

        ledger.remove("b-2");
        assertThat(chosen(P2)).isEqualTo(1);
    }

    @Test
    void D5_anOverlapInTheSecondFamilyCountsToo() {
        PoolSpec dual = pool("dual", 1, "10.6.0.0/29", "fd06::/125");
        PoolSpec six = pool("six", 1, null, "fd06::/125");
        ledger.put(block(six, 0, "n1"));

        assertThat(chosen(dual)).isEqualTo(1);
    }

    @Test
    void whatIsPromisedIsNotChosenUntilItIsReleased() {
        ledger.reserve(new Reservation("r1", "default", 0, range("10.1.0.0/31"), "n1"));
        assertThat(chosen(P2)).isEqualTo(1);
        assertThat(ledger.reservation("r1")).isPresent();

        // when its block appears, and the promise ends
        ledger.put(block(P2, 0, "n1"));
        ledger.release("r1");
        assertThat(chosen(P2)).isEqualTo(1);

        ledger.remove("default-0");
        assertThat(chosen(P2)).isZero();
    }

    @Test
    void aRequestHasOnePromise() {
        ledger.reserve(new Reservation("r1", "default", 0, range("10.1.0.0/31"), "n1"));
        ledger.reserve(new Reservation("r1", "default", 3, range("10.1.0.6/31"), "n1"));

        assertThat(chosen(P2)).isZero();
        ledger.release("r1");
        ledger.release("r1");
        assertThat(ledger.reservation("r1")).isEmpty();
    }

    @Test
    void A8_twoRequestsMayHaveBeenPromisedOneIndex() {
        ledger.reserve(new Reservation("r1", "default", 0, range("10.1.0.0/31"), "n1"));
        ledger.reserve(new Reservation("r2", "default", 0, range("10.1.0.0/31"), "n2"));

        ledger.release("r1");
        assertThat(chosen(P2)).isEqualTo(1);
        ledger.release("r2");
        assertThat(chosen(P2)).isZero();
    }

    @Test
    void lateNewsOfAnOlderBlockChangesNothing() {
        ledger.put(new LedgerBlock("default-0", "new", "default", 0, range("10.1.0.0/31"), "n2"));

        ledger.remove("default-0", "old");

        assertThat(chosen(P2)).isEqualTo(1);
        ledger.remove("default-0", "new");
        assertThat(chosen(P2)).isZero();
        ledger.remove("default-0");
    }

    @Test
    void anObstacleIsNamed() {
        ledger.put(block(P2, 0, "n1"));
        PoolSpec other = pool("b", 2, "10.1.0.0/29", null);

        assertThat(ledger.obstacle("default-0", range("10.1.0.0/31"))).isEmpty();
        assertThat(ledger.obstacle("b-0", other.blockAt(0))).hasValue("default-0");
        assertThat(ledger.obstacle("b-1", other.blockAt(1))).isEmpty();

        ledger.reserve(new Reservation("r1", "default", 3, range("10.1.0.6/31"), "n1"));
        assertThat(ledger.obstacle("b-1", other.blockAt(1))).hasValue("default-3");
    }

    @Test
    void blocksAreCountedByNodeAndPool() {
        ledger.put(block(P2, 0, "n1"));
        ledger.put(block(P2, 1, "n1"));
        ledger.put(block(P2, 2, null));

        assertThat(ledger.count("default")).isEqualTo(3);
        assertThat(ledger.count("default", "n1")).isEqualTo(2);
        assertThat(ledger.count("other", "n1")).isZero();
        assertThat(ledger.blocksOf("n1"))
                .extracting(LedgerBlock::name)
                .containsExactlyInAnyOrder("default-0", "default-1");
        assertThat(ledger.nodes()).containsExactly("n1");

        // when one changes hands by being made anew
        ledger.put(new LedgerBlock("default-0", "u2", "default", 0, range("10.1.0.0/31"), "n2"));

        assertThat(ledger.count("default", "n1")).isEqualTo(1);
        assertThat(ledger.count("default", "n2")).isEqualTo(1);
        assertThat(ledger.count("default")).isEqualTo(3);
    }

    @Test
    void aBlockWhoseRangeCannotBeReadTakesItsIndex() {
        ledger.put(new LedgerBlock("default-0", "u", "default", 0, null, "n1"));

        assertThat(chosen(P2)).isEqualTo(1);
        ledger.remove("default-0");
        assertThat(chosen(P2)).isZero();
    }

    @Test
    void aPoolThatGrowsGivesFromWhatWasAdded() {
        for (int i = 0; i < 4; i++) {
            ledger.put(block(P2, i, "n1"));
        }
        assertThat(ledger.choose(P2)).isInstanceOf(Choice.Exhausted.class);

        PoolSpec grown =
                new PoolSpec(
                        "default",
                        1,
                        List.of(P2.subnets().getFirst(), subnet("10.8.0.0/30", null)));

        assertThat(chosen(grown)).isEqualTo(4);
    }

    @Test
    void D7_theLastIndexIsTheLast() {
        PoolSpec huge = pool("huge", 0, null, "fd00::/48");
        ledger.put(block(huge, 0, "n1"));
        // a single block that covers all but the very last index
        ledger.put(new LedgerBlock("x-0", "u", "x", 0, BlockRange.parse(null, "fd00::/98"), "n2"));
        ledger.put(
                new LedgerBlock(
                        "x-1", "u", "x", 1, BlockRange.parse(null, "fd00::4000:0/99"), "n2"));
        ledger.put(
                new LedgerBlock(
                        "x-2", "u", "x", 2, BlockRange.parse(null, "fd00::6000:0/99"), "n2"));

        assertThat(ledger.choose(huge)).isInstanceOf(Choice.Exhausted.class);

        ledger.remove("x-2");
        assertThat(chosen(huge)).isEqualTo(0x6000_0000);
        ledger.put(block(huge, Integer.MAX_VALUE, "n1"));
        assertThat(chosen(huge)).isEqualTo(0x6000_0000);
    }

    @Test
    void D8_fiftyThousandBlocksOfALargePoolAreNoBurden() {
        PoolSpec ten = pool("ten", 0, "10.0.0.0/8", null);
        for (int i = 0; i < 50_000; i++) {
            ledger.put(block(ten, i, "n" + i % 1000));
        }
        for (int i = 0; i < 20_000; i++) {
            int index = chosen(ten);
            assertThat(index).isEqualTo(50_000 + i);
            ledger.put(block(ten, index, "n0"));
            ledger.remove("ten-" + i);
            ledger.put(block(ten, i, "n1"));
        }
        assertThat(ledger.count("ten")).isEqualTo(70_000);
    }

    /** Against a model that looks at every index and every block. */
    @Property(tries = 300)
    void itChoosesWhatALookAtEverythingWould(@ForAll long seed) {
        Random random = new Random(seed);
        List<PoolSpec> pools = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pools.add(randomPool("p" + i, random));
        }
        PoolLedger tested = new PoolLedger();
        Map<String, LedgerBlock> blocks = new HashMap<>();
        Map<String, Reservation> promises = new HashMap<>();
        for (int step = 0; step < 60; step++) {
            PoolSpec pool = pools.get(random.nextInt(3));
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    // whatever is in the API, overlapping or not
                    LedgerBlock block = strangeBlock(pools, random);
                    blocks.put(block.name(), block);
                    tested.put(block);
                }
                case 2 -> {
                    String name = pool.name() + "-" + random.nextInt(16);
                    blocks.remove(name);
                    tested.remove(name);
                }
                case 3 -> {
                    String request = "r" + random.nextInt(4);
                    promises.remove(request);
                    tested.release(request);
                }
                case 4 -> {
                    if (tested.choose(pool) instanceof Choice.Chosen(int index, var range)) {
                        Reservation promise =
                                new Reservation(
                                        "r" + random.nextInt(4), pool.name(), index, range, "n");
                        promises.put(promise.requestUid(), promise);
                        tested.reserve(promise);
                    }
                }
                default -> pools.set(random.nextInt(3), randomPool(pool.name(), random));
            }
            pools.sort(java.util.Comparator.comparing(PoolSpec::name));
            for (PoolSpec each : pools) {
                assertThat(tested.choose(each))
                        .isEqualTo(expected(each, blocks, promises, tested.usage(each)));
                assertThat(tested.count(each.name()))
                        .isEqualTo(
                                (int)
                                        blocks.values().stream()
                                                .filter(b -> b.pool().equals(each.name()))
                                                .count());
            }
        }
    }

    private static Choice expected(
            PoolSpec pool,
            Map<String, LedgerBlock> blocks,
            Map<String, Reservation> promises,
            PoolUsage usage) {
        for (int i = 0; i < pool.usableBlocks(); i++) {
            int index = i;
            BlockRange range = pool.blockAt(i);
            boolean byIndex =
                    blocks.values().stream()
                                    .anyMatch(
                                            b -> b.pool().equals(pool.name()) && b.index() == index)
                            || promises.values().stream()
                                    .anyMatch(
                                            p ->
                                                    p.pool().equals(pool.name())
                                                            && p.index() == index);
            boolean byRange =
                    blocks.values().stream()
                                    .map(LedgerBlock::range)
                                    .anyMatch(r -> r != null && r.overlaps(range))
                            || promises.values().stream().anyMatch(p -> p.range().overlaps(range));
            if (!byIndex && !byRange) {
                return new Choice.Chosen(i, range);
            }
        }
        return new Choice.Exhausted(usage);
    }

    private static PoolSpec randomPool(String name, Random random) {
        int bits = random.nextInt(3);
        int prefix = 28 + random.nextInt(3);
        String ipv4 = "10.0.0." + (random.nextInt(4) << 4) + "/" + prefix;
        String ipv6 = "fd00::" + random.nextInt(4) + "0/" + (prefix + 96);
        return switch (random.nextInt(3)) {
            case 0 -> pool(name, bits, ipv4, null);
            case 1 -> pool(name, bits, null, ipv6);
            default -> pool(name, bits, ipv4, ipv6);
        };
    }

    private static LedgerBlock strangeBlock(List<PoolSpec> pools, Random random) {
        PoolSpec pool = pools.get(random.nextInt(3));
        int index = random.nextInt(16);
        String uid = "u" + random.nextInt(1000);
        String node = random.nextInt(5) == 0 ? null : "n" + random.nextInt(3);
        BlockRange range;
        if (pool.hasBlock(index) && random.nextInt(3) > 0) {
            range = pool.blockAt(index);
        } else if (random.nextInt(4) == 0) {
            range = null;
        } else {
            range = range("10.0.0." + random.nextInt(64) + "/" + (28 + random.nextInt(5)));
        }
        return new LedgerBlock(
                PoolSpec.blockName(pool.name(), index), uid, pool.name(), index, range, node);
    }

    private int chosen(PoolSpec pool) {
        assertThat(ledger.choose(pool)).isInstanceOf(Choice.Chosen.class);
        return ((Choice.Chosen) ledger.choose(pool)).index();
    }

    private static LedgerBlock block(PoolSpec pool, int index, @Nullable String node) {
        return new LedgerBlock(
                PoolSpec.blockName(pool.name(), index),
                "u" + index,
                pool.name(),
                index,
                pool.blockAt(index),
                node);
    }

    private static BlockRange range(String ipv4) {
        return BlockRange.parse(ipv4, null);
    }

    private static PoolSpec pool(
            String name, int bits, @Nullable String ipv4, @Nullable String ipv6) {
        return new PoolSpec(name, bits, List.of(subnet(ipv4, ipv6)));
    }

    private static Subnet subnet(@Nullable String ipv4, @Nullable String ipv6) {
        return new Subnet(
                ipv4 == null ? null : Cidr.parse(ipv4), ipv6 == null ? null : Cidr.parse(ipv6));
    }
}
