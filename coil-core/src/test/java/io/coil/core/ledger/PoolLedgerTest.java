package io.coil.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Cidr;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

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
