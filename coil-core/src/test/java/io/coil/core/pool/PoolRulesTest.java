package io.coil.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.pool.PoolRules.ExistingBlock;
import io.coil.core.pool.PoolText.SubnetText;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class PoolRulesTest {
    private static final PoolText P2 = pool("default", 1, "10.1.0.0/29");

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        "D5 overlaps another pool",
                        pool("b", 0, "10.1.0.4/30"),
                        "spec.subnets[0].ipv4",
                        "10.1.0.4/30 overlaps 10.1.0.0/29 of the pool default"),
                Arguments.of(
                        "D5 host bits are cleared first",
                        pool("b", 0, "10.1.0.9/28"),
                        "spec.subnets[0].ipv4",
                        "10.1.0.0/28 overlaps 10.1.0.0/29 of the pool default"),
                Arguments.of(
                        "D5 overlaps itself",
                        pool("b", 0, "10.2.0.0/24", "10.2.0.128/25"),
                        "spec.subnets[1].ipv4",
                        "10.2.0.128/25 overlaps 10.2.0.0/24 of spec.subnets[0].ipv4 of the same pool"),
                Arguments.of(
                        "D5 in the second family",
                        pool(
                                "b",
                                0,
                                new SubnetText("10.2.0.0/24", "fd00::/120"),
                                new SubnetText("10.3.0.0/24", "fd00::/120")),
                        "spec.subnets[1].ipv6",
                        "fd00::/120 overlaps fd00::/120 of spec.subnets[0].ipv6"),
                Arguments.of(
                        "D9 too large blocks",
                        pool("b", 17, "11.0.0.0/8"),
                        "spec.blockSizeBits",
                        "17 is more than 16"),
                Arguments.of(
                        "D9 blockSizeBits 40",
                        pool("b", 40, new SubnetText(null, "fd00::/64")),
                        "spec.blockSizeBits",
                        "40 is more than 16"),
                Arguments.of(
                        "negative bits",
                        pool("b", -1, "10.2.0.0/24"),
                        "spec.blockSizeBits",
                        "-1 is negative"),
                Arguments.of(
                        "no block fits",
                        pool("b", 9, "10.2.0.0/24"),
                        "spec.subnets[0]",
                        "10.2.0.0/24 has 8 host bits, fewer than blockSizeBits (9)"),
                Arguments.of(
                        "no block of the default size fits",
                        new PoolText(
                                "b", null, List.of(new SubnetText("10.2.0.0/28", "")), Map.of()),
                        "spec.subnets[0]",
                        "fewer than blockSizeBits (5)"),
                Arguments.of(
                        "D10 unequal sizes",
                        pool("b", 0, new SubnetText("10.2.0.0/24", "fd00::/121")),
                        "spec.subnets[0]",
                        "10.2.0.0/24 has 2^8 addresses and fd00::/121 has 2^7"),
                Arguments.of(
                        "D10 mixed families",
                        pool(
                                "b",
                                0,
                                new SubnetText("10.2.0.0/24", "fd00::/120"),
                                new SubnetText("10.3.0.0/24", null)),
                        "spec.subnets[1]",
                        "the entry has IPv4, the others have IPv4 and IPv6"),
                Arguments.of(
                        "an entry of no family",
                        pool("b", 0, new SubnetText("", null)),
                        "spec.subnets[0]",
                        "needs an ipv4 or an ipv6 range"),
                Arguments.of(
                        "no entry",
                        new PoolText("b", 0, List.of(), Map.of()),
                        "spec.subnets",
                        "needs at least one entry"),
                Arguments.of(
                        "the wrong family",
                        pool("b", 0, new SubnetText("fd00::/64", null)),
                        "spec.subnets[0].ipv4",
                        "\"fd00::/64\" is not an IPv4 range"),
                Arguments.of(
                        "no range",
                        pool("b", 0, "10.2.0.0"),
                        "spec.subnets[0].ipv4",
                        "\"10.2.0.0\" is not a CIDR range"),
                Arguments.of(
                        "F5 a name of 64",
                        pool("n".repeat(64), 0, "10.2.0.0/24"),
                        "metadata.name",
                        "64 characters, at most 63"),
                Arguments.of(
                        "A10 a block that is left of a pool that is gone",
                        pool("b", 0, "10.7.0.0/28"),
                        "spec.subnets[0].ipv4",
                        "overlaps the existing block gone-0 (10.7.0.0/31) of the pool gone"),
                Arguments.of(
                        "a switch that cannot be read",
                        new PoolText(
                                "b",
                                0,
                                List.of(new SubnetText("10.2.0.0/24", null)),
                                Map.of(PoolSwitches.COLLECTION, "sometimes")),
                        "metadata.annotations[ops.coil.io/collection]",
                        "allowed is on, manual or off"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aNewPoolIsRefused(String why, PoolText pool, String field, String message) {
        List<ExistingBlock> blocks = List.of(block("gone-0", "gone", "10.7.0.0/31"));

        assertThat(PoolRules.onCreate(pool, List.of(P2), blocks))
                .as(why)
                .singleElement()
                .satisfies(
                        violation -> {
                            assertThat(violation.field()).isEqualTo(field);
                            assertThat(violation.message()).contains(message);
                        });
    }

    static Stream<Arguments> accepted() {
        return Stream.of(
                Arguments.of("beside another", pool("b", 0, "10.1.0.8/29")),
                Arguments.of("host bits", pool("b", 0, "10.2.0.77/24")),
                Arguments.of("D7 2^64 blocks", pool("b", 0, new SubnetText(null, "fd00::/64"))),
                Arguments.of("D7 2^80 blocks", pool("b", 0, new SubnetText(null, "fd00::/48"))),
                Arguments.of("D9 one block", pool("b", 8, "10.2.0.0/24")),
                Arguments.of("D9 the largest blocks", pool("b", 16, "10.2.0.0/16")),
                Arguments.of(
                        "D10 dual stack",
                        pool(
                                "b",
                                6,
                                new SubnetText(
                                        "100.126.16.0/20",
                                        "2001:7c7:2100:42f:ffff:ffff:ffff:f000/116"))),
                Arguments.of("F5 a name of 63", pool("n".repeat(63), 0, "10.2.0.0/24")),
                Arguments.of(
                        "A10 the pool of the block that is left, made again",
                        pool("gone", 1, "10.7.0.0/28")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("accepted")
    void aNewPoolIsAccepted(String why, PoolText pool) {
        List<ExistingBlock> blocks = List.of(block("gone-0", "gone", "10.7.0.0/31"));

        assertThat(PoolRules.onCreate(pool, List.of(P2), blocks)).as(why).isEmpty();
    }

    @Test
    void A10_aPoolAroundTheBlockOfAnExistingPoolIsRefusedOnceForThePool() {
        assertThat(
                        PoolRules.onCreate(
                                pool("other", 1, "10.1.0.0/28"),
                                List.of(P2),
                                List.of(block("default-0", "default", "10.1.0.0/31"))))
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("of the pool default"));
    }

    static Stream<Arguments> badUpdates() {
        return Stream.of(
                Arguments.of(
                        "A11 another size",
                        pool("default", 2, "10.1.0.0/29"),
                        "spec.blockSizeBits",
                        "from 1 to 2"),
                Arguments.of(
                        "an entry changed",
                        pool("default", 1, "10.1.0.0/28"),
                        "spec.subnets[0]",
                        "from 10.1.0.0/29 to 10.1.0.0/28"),
                Arguments.of(
                        "an entry removed",
                        new PoolText("default", 1, List.of(), Map.of()),
                        "spec.subnets",
                        "there were 1, now 0"),
                Arguments.of(
                        "D5 an overlap added",
                        pool("default", 1, "10.1.0.0/29", "10.5.0.0/24"),
                        "spec.subnets[1].ipv4",
                        "overlaps 10.5.0.0/16 of the pool five"),
                Arguments.of(
                        "D5 an overlap with itself added",
                        pool("default", 1, "10.1.0.0/29", "10.1.0.4/30"),
                        "spec.subnets[1].ipv4",
                        "of the same pool"),
                Arguments.of(
                        "a family added",
                        pool(
                                "default",
                                1,
                                new SubnetText("10.1.0.0/29", null),
                                new SubnetText(null, "fd00::/64")),
                        "spec.subnets[1]",
                        "the entry has IPv6, the others have IPv4"),
                Arguments.of(
                        "a bad switch",
                        new PoolText(
                                "default", 1, P2.subnets(), Map.of(PoolSwitches.DRAIN, "please")),
                        "metadata.annotations[ops.coil.io/drain]",
                        "true or false"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badUpdates")
    void anUpdateIsRefused(String why, PoolText updated, String field, String message) {
        assertThat(
                        PoolRules.onUpdate(
                                P2, updated, List.of(pool("five", 0, "10.5.0.0/16")), List.of()))
                .as(why)
                .anySatisfy(
                        violation -> {
                            assertThat(violation.field()).isEqualTo(field);
                            assertThat(violation.message()).contains(message);
                        });
    }

    @Test
    void addressesAreComparedAndNotTheirTexts() {
        PoolText old = pool("p", 0, new SubnetText("10.2.0.0/24", "FD00:0::/120"));
        PoolText updated = pool("p", 0, new SubnetText("10.2.0.7/24", "fd00::/120"));

        assertThat(PoolRules.onUpdate(old, updated, List.of(), List.of())).isEmpty();
    }

    @Test
    void anUpdateIsJudgedOnlyOnWhatItChanges() {
        // given a pool that breaks every rule, from before there were rules
        PoolText old =
                new PoolText(
                        "n".repeat(70),
                        40,
                        List.of(
                                new SubnetText("10.1.0.0/24", null),
                                new SubnetText(null, "fd00::/64"),
                                new SubnetText("garbage", null)),
                        Map.of(PoolSwitches.DRAIN, "maybe"));
        Map<String, String> more = Map.of(PoolSwitches.DRAIN, "maybe", "note", "to be removed");

        // when only its metadata changes
        PoolText updated = new PoolText(old.name(), old.blockSizeBits(), old.subnets(), more);

        // then nothing is wrong with that, though another pool overlaps
        assertThat(PoolRules.onUpdate(old, updated, List.of(P2), List.of())).isEmpty();

        // and a good entry may be added, of either family
        List<SubnetText> entries = new ArrayList<>(old.subnets());
        entries.add(new SubnetText(null, "fd77::/64"));
        PoolText grown = new PoolText(old.name(), old.blockSizeBits(), entries, more);
        assertThat(PoolRules.onUpdate(old, grown, List.of(P2), List.of())).isEmpty();
    }

    @Test
    void sayingTheDefaultSizeIsNoChange() {
        PoolText unsaid =
                new PoolText("p", null, List.of(new SubnetText("10.2.0.0/24", null)), Map.of());

        assertThat(PoolRules.onUpdate(unsaid, pool("p", 5, "10.2.0.0/24"), List.of(), List.of()))
                .isEmpty();
    }

    @Test
    void whatCannotBeReadIsSaidByField() {
        PoolText bad = pool("p", 0, new SubnetText("10.0.0.0/40", "x"));

        assertThat(bad.read())
                .isInstanceOfSatisfying(
                        PoolReading.NotUnderstood.class,
                        reading ->
                                assertThat(reading.violations())
                                        .extracting(Violation::field)
                                        .containsExactly(
                                                "spec.subnets[0].ipv4", "spec.subnets[0].ipv6"));
        assertThat(P2.read())
                .isInstanceOfSatisfying(
                        PoolReading.Understood.class,
                        reading -> assertThat(reading.spec().usableBlocks()).isEqualTo(4));
    }

    private static PoolText pool(String name, int bits, String... ipv4) {
        return pool(
                name,
                bits,
                Stream.of(ipv4).map(text -> new SubnetText(text, null)).toArray(SubnetText[]::new));
    }

    private static PoolText pool(String name, int bits, SubnetText... subnets) {
        return new PoolText(name, bits, List.of(subnets), Map.of());
    }

    private static ExistingBlock block(String name, String pool, @Nullable String ipv4) {
        return new ExistingBlock(name, pool, BlockRange.parse(ipv4, null));
    }
}
