package io.coil.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.net.Family;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

class PoolSpecTest {

    @Test
    void D10_dualStackPairsAreAlignedByIndex() {
        PoolSpec pool =
                pool(6, subnet("100.126.16.0/20", "2001:7c7:2100:42f:ffff:ffff:ffff:f000/116"));

        assertThat(pool.blocks()).isEqualTo(64);
        assertThat(pool.blockAt(0))
                .hasToString("100.126.16.0/26 + 2001:7c7:2100:42f:ffff:ffff:ffff:f000/122");
        assertThat(pool.blockAt(63))
                .hasToString("100.126.31.192/26 + 2001:7c7:2100:42f:ffff:ffff:ffff:ffc0/122");
        assertThat(pool.blockAt(1).addressesAt(2))
                .containsExactly(
                        Address.parse("100.126.16.66"),
                        Address.parse("2001:7c7:2100:42f:ffff:ffff:ffff:f042"));
    }

    @Test
    void indicesCountThroughTheSubnetsInOrder() {
        PoolSpec pool = pool(1, subnet("10.1.0.0/30", null), subnet("10.9.0.0/31", null));

        assertThat(pool.usableBlocks()).isEqualTo(3);
        assertThat(pool.blockAt(1)).hasToString("10.1.0.2/31");
        assertThat(pool.blockAt(2)).hasToString("10.9.0.0/31");
        assertThatThrownBy(() -> pool.blockAt(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pool.blockAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(pool.hasBlock(2)).isTrue();
        assertThat(pool.hasBlock(3)).isFalse();
    }

    @Test
    void D7_aPoolBeyondAllIndicesIsCountedExactlyAndUsedUpToThem() {
        PoolSpec pool = pool(0, subnet(null, "fd00::/64"), subnet(null, "fd01::/48"));

        BigInteger expected = BigInteger.ONE.shiftLeft(64).add(BigInteger.ONE.shiftLeft(80));
        assertThat(pool.blocks()).isEqualTo(expected);
        assertThat(pool.addresses()).isEqualTo(expected);
        assertThat(pool.usableBlocks()).isEqualTo(1L << 31);
        assertThat(pool.blockAt(Integer.MAX_VALUE)).hasToString("fd00::7fff:ffff/128");
        assertThat(pool.indexOf(Address.parse("fd00::7fff:ffff"))).hasValue(Integer.MAX_VALUE);
        assertThat(pool.indexOf(Address.parse("fd00::8000:0"))).isEmpty();
        assertThat(pool.indexOf(Address.parse("fd01::"))).isEmpty();
    }

    @Test
    void D9_bitsEqualToHostBitsMakeOneBlock() {
        PoolSpec pool = pool(8, subnet("10.0.0.0/24", null));

        assertThat(pool.usableBlocks()).isEqualTo(1);
        assertThat(pool.blockAt(0)).hasToString("10.0.0.0/24");
    }

    @Test
    void D9_anExistingPoolOfHugeBlocksIsServed() {
        PoolSpec pool = pool(40, subnet(null, "fd00::/80"));

        assertThat(pool.usableBlocks()).isEqualTo(256);
        assertThat(pool.blockAt(255)).hasToString("fd00::ff00:0:0/88");
        assertThat(pool.blockAt(255).size()).isEqualTo(BigInteger.ONE.shiftLeft(40));
    }

    @Test
    void anEntrySmallerThanABlockHasNone() {
        PoolSpec pool = pool(5, subnet("10.0.0.0/30", null), subnet("10.1.0.0/27", null));

        assertThat(pool.blocks()).isEqualTo(1);
        assertThat(pool.blockAt(0)).hasToString("10.1.0.0/27");
        assertThat(pool.indexOf(Address.parse("10.0.0.1"))).isEmpty();
        assertThat(pool.indexOf(Address.parse("10.1.0.1"))).hasValue(0);
    }

    @Test
    void F5_namesOfBlocksGoThereAndBack() {
        assertThat(PoolSpec.blockName("my-pool-1", 12)).isEqualTo("my-pool-1-12");
        assertThat(PoolSpec.parseBlockName("my-pool-1-12"))
                .hasValue(new BlockName("my-pool-1", 12));
        assertThat(PoolSpec.parseBlockName("p-2147483647"))
                .hasValue(new BlockName("p", Integer.MAX_VALUE));
        for (String bad :
                List.of("p", "p-", "-1", "p-01", "p-x", "p-2147483648", "p-99999999999")) {
            assertThat(PoolSpec.parseBlockName(bad)).as(bad).isEmpty();
        }
    }

    @Provide
    Arbitrary<PoolSpec> pools() {
        Arbitrary<Integer> bits = Arbitraries.integers().between(0, 20);
        Arbitrary<Boolean> flag = Arbitraries.of(true, false);
        return Combinators.combine(
                        bits,
                        Arbitraries.integers().between(0, 12).list().ofMinSize(1).ofMaxSize(5),
                        flag,
                        flag,
                        Arbitraries.longs())
                .as(PoolSpecTest::disjointPool);
    }

    /** Entries side by side, each aligned to its own size. */
    private static PoolSpec disjointPool(
            int bits, List<Integer> more, boolean wantV4, boolean wantV6, long seed) {
        boolean ipv6 = wantV6 || !wantV4;
        boolean ipv4 = wantV4 && bits <= 16;
        List<Subnet> subnets = new ArrayList<>();
        long high = seed << 8;
        for (int i = 0; i < more.size(); i++) {
            int hostBits = ipv4 ? Math.min(24, bits + more.get(i)) : bits + more.get(i);
            Address v4 = new Address(Family.IPV4, 0, (10L + i) << 24);
            Address v6 = new Address(Family.IPV6, high + i, 0);
            subnets.add(
                    new Subnet(
                            ipv4 ? Cidr.of(v4, 32 - hostBits) : null,
                            ipv6 || !ipv4 ? Cidr.of(v6, 128 - hostBits) : null));
        }
        return new PoolSpec("p", bits, subnets);
    }

    @Property
    void indexAndBlockGoThereAndBack(
            @ForAll("pools") PoolSpec pool,
            @ForAll @IntRange(min = 0) int number,
            @ForAll @IntRange(min = 0) int offset) {
        int index = (int) (number % pool.usableBlocks());

        BlockRange range = pool.blockAt(index);
        long inside = offset % range.capacity();

        assertThat(range.size()).isEqualTo(BigInteger.ONE.shiftLeft(pool.blockSizeBits()));
        for (Address address : range.addressesAt(inside)) {
            assertThat(pool.indexOf(address)).hasValue(index);
            assertThat(range.contains(address)).isTrue();
            assertThat(range.offsetOf(address)).hasValue(inside);
        }
        assertThat(BlockRange.parse(text(range.ipv4()), text(range.ipv6()))).isEqualTo(range);
    }

    @Property
    void noTwoBlocksOverlap(
            @ForAll("pools") PoolSpec pool,
            @ForAll @IntRange(min = 0) int one,
            @ForAll @IntRange(min = 0) int other) {
        int a = (int) (one % pool.usableBlocks());
        int b = (int) (other % pool.usableBlocks());
        Assume.that(a != b);

        assertThat(pool.blockAt(a).overlaps(pool.blockAt(b))).isFalse();
    }

    @Property
    void whatAForeignRangeCoversIsSkippedExactly(
            @ForAll("pools") PoolSpec pool,
            @ForAll @IntRange(min = 0) int number,
            @ForAll @IntRange(min = 0, max = 40) int wider) {
        int index = (int) (number % Math.min(pool.usableBlocks(), 5_000));
        Cidr own = pool.blockAt(index).ranges().getFirst();
        Cidr taken = Cidr.of(own.first(), Math.max(0, own.prefix() - wider));

        long expected = index + 1L;
        while (expected < pool.usableBlocks()
                && pool.blockAt((int) expected).ranges().getFirst().overlaps(taken)) {
            expected++;
        }

        long skipped = pool.firstIndexBeyond(index, taken);
        assertThat(skipped).isGreaterThan(index).isLessThanOrEqualTo(expected);
        if (skipped < expected) { // only the end of an entry may stop it early
            assertThat(sameEntry(pool, index, skipped)).isFalse();
        }
    }

    private static boolean sameEntry(PoolSpec pool, int index, long other) {
        Address one = pool.blockAt(index).ranges().getFirst().first();
        Address two = pool.blockAt((int) other).ranges().getFirst().first();
        return pool.subnets().stream()
                .flatMap(subnet -> subnet.ranges().stream())
                .anyMatch(range -> range.contains(one) && range.contains(two));
    }

    private static @Nullable String text(@Nullable Cidr cidr) {
        return cidr == null ? null : cidr.toString();
    }

    private static PoolSpec pool(int bits, Subnet... subnets) {
        return new PoolSpec("p", bits, List.of(subnets));
    }

    private static Subnet subnet(@Nullable String ipv4, @Nullable String ipv6) {
        return new Subnet(
                ipv4 == null ? null : Cidr.parse(ipv4), ipv6 == null ? null : Cidr.parse(ipv6));
    }
}
