package io.coil.core.holdings;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.net.Address;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.CollectionMode;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

class NodeHoldingsTest {
    private static final long LINGER = Duration.ofSeconds(30).toNanos();
    private static final long HOLD = Duration.ofSeconds(60).toNanos();
    private static final PodRef POD = new PodRef("default", "p1");

    private final NodeHoldings holdings = new NodeHoldings(LINGER, HOLD);
    private final Map<String, PoolTerms> pools =
            new HashMap<>(Map.of("default", terms(0, Duration.ZERO)));
    private final Function<String, PoolTerms> terms = pools::get;

    private static PoolTerms terms(int spares, Duration reuseDelay) {
        return new PoolTerms(
                "pool-uid", PoolTerms.State.SERVING, null, spares, reuseDelay, CollectionMode.ON);
    }

    private static BlockIdentity block(int index, String range) {
        return new BlockIdentity(
                "default-" + index,
                "uid-" + index,
                "default",
                "pool-uid",
                BlockRange.parse(range, null),
                false);
    }

    private static ContainerKey container(String id) {
        return new ContainerKey(id, "eth0");
    }

    private Assign assign(String id, long now) {
        return holdings.assign(container(id), POD, "default", terms.apply("default"), now);
    }

    private static String address(Assign assign) {
        return switch (assign) {
            case Assign.Assigned(Assignment a) -> a.addresses().getFirst().toString();
            case Assign.Held(Assignment a) -> "again " + a.addresses().getFirst();
            case Assign.NoRoom none -> "none";
            case Assign.Refused(String why) -> why;
        };
    }

    private List<String> due(long now) {
        return holdings.surplus(terms, now).due().stream().map(d -> d.block().id().name()).toList();
    }

    @Test
    void addressesComeFromTheFullestBlockSoThatOthersCanEmpty() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        holdings.adopt(block(1, "10.1.0.2/31"), BlockFacts.GOOD, 0);
        holdings.restoring()
                .container(container("old"), POD, "default", List.of(Address.parse("10.1.0.3")), 0);

        assertThat(address(assign("c1", 0))).isEqualTo("10.1.0.2");
        assertThat(address(assign("c2", 0))).isEqualTo("10.1.0.0");
    }

    @Test
    void aRepeatedAddGetsTheSameAddress() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        assertThat(address(assign("c1", 0))).isEqualTo("10.1.0.0");
        assertThat(address(assign("c1", 1))).isEqualTo("again 10.1.0.0");
        assertThat(holdings.assignments()).hasSize(1);
    }

    @Test
    void anEmptyBlockIsDueAfterTheLingerAndOneOfASingleAddressAtOnce() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        holdings.adopt(block(1, "10.1.0.2/32"), BlockFacts.GOOD, 0);

        assertThat(due(1)).containsExactly("default-1");
        assertThat(due(LINGER - 1)).containsExactly("default-1");
        assertThat(due(LINGER)).containsExactlyInAnyOrder("default-0", "default-1");
    }

    @Test
    void h15AnEmptyBlockStaysWhileAPodWaitsForItsPool() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        holdings.demand().asked("default", POD, 0);

        assertThat(due(HOLD)).isEmpty();
        assertThat(holdings.surplus(terms, HOLD).nextLookNanos()).isGreaterThan(HOLD);
        assertThat(due(HOLD + 1)).containsExactly("default-0");
    }

    @Test
    void h11NoSparesAreKeptOfAPoolThatIsBeingDeleted() {
        pools.put("default", terms(1, Duration.ZERO));
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        holdings.adopt(block(1, "10.1.0.2/31"), BlockFacts.GOOD, 0);
        assertThat(due(LINGER)).hasSize(1);

        pools.put(
                "default",
                new PoolTerms(
                        "pool-uid",
                        PoolTerms.State.GONE,
                        "being deleted",
                        1,
                        Duration.ZERO,
                        CollectionMode.ON));
        assertThat(due(1)).containsExactlyInAnyOrder("default-0", "default-1");
    }

    @Test
    void h06ABlockThatIsBeingDeletedGivesNothingAndGoesWhenEmpty() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        holdings.adopt(block(0, "10.1.0.0/31"), new BlockFacts(true, false, false), 1);

        assertThat(address(assign("c2", 2))).isEqualTo("none");
        holdings.demand().satisfied(POD);
        assertThat(due(3)).isEmpty();
        holdings.free(container("c1"), terms, 4);
        assertThat(due(5)).containsExactly("default-0");
        assertThat(holdings.surplus(terms, 5).due().getFirst().block().beingDeleted()).isTrue();
    }

    @Test
    void h08ABlockWhosePoolHasGoneIsNotTakenBackWhateverAWatchShows() {
        holdings.adopt(block(0, "10.1.0.0/32"), new BlockFacts(false, true, false), 0);
        assertThat(due(0)).containsExactly("default-0");
        assertThat(holdings.returns().begin("default-0", block(0, "10.1.0.0/32").uid())).isTrue();

        assertThat(holdings.returns().keep("default", terms.apply("default"))).isNull();
    }

    @Test
    void aReturningBlockGivesNothingAndCanBeKeptOnlyBeforeItsDelete() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assertThat(holdings.returns().begin("default-0", "uid-0")).isTrue();
        assertThat(holdings.returns().begin("default-0", "uid-0")).as("once").isFalse();
        assertThat(address(assign("c1", 1))).isEqualTo("none");

        assertThat(holdings.returns().keep("default", terms.apply("default"))).isNotNull();
        assertThat(holdings.returns().deleteIsSent("default-0", "uid-0")).isFalse();
        assertThat(address(assign("c1", 2))).as("its route is not back yet").isEqualTo("none");
        holdings.returns().serveAgain("default-0", "uid-0");
        assertThat(address(assign("c1", 3))).isEqualTo("10.1.0.0");

        holdings.free(container("c1"), terms, 4);
        assertThat(holdings.returns().begin("default-0", "uid-0")).isTrue();
        assertThat(holdings.returns().deleteIsSent("default-0", "uid-0")).isTrue();
        assertThat(holdings.returns().keep("default", terms.apply("default"))).isNull();
    }

    @Test
    void aUsedBlockIsNeverReturned() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        assertThat(holdings.returns().begin("default-0", "uid-0")).isFalse();
    }

    @Test
    void aFreedAddressIsNotGivenAgainBeforeItsReuseDelay() {
        long delay = Duration.ofSeconds(30).toNanos();
        pools.put("default", terms(0, Duration.ofNanos(delay)));
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        holdings.free(container("c1"), terms, 10);

        assertThat(assign("c2", 20)).isEqualTo(new Assign.NoRoom(10 + delay));
        holdings.demand().satisfied(POD);
        assertThat(due(10 + delay - 1)).as("nor is the block given back").isEmpty();
        assertThat(address(assign("c2", 10 + delay))).isEqualTo("10.1.0.0");
    }

    @Test
    void freeingWhatAnotherContainerHoldsTouchesNothing() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        assertThat(holdings.free(container("c2"), terms, 1)).isNull();
        assertThat(holdings.assignments()).hasSize(1);
    }

    @Test
    void aBlockOfAnotherUidUnderTheSameNameIsNotTheOneThatIsHeld() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assertThat(holdings.returns().begin("default-0", "other")).isFalse();
        assertThat(holdings.forget("default-0", "other")).isEmpty();
        assertThat(holdings.held().uid("default-0")).isEqualTo("uid-0");
    }

    @Test
    void anAssignmentThatLostItsBlockIsToldAndCanStillBeFreed() {
        holdings.adopt(block(0, "10.1.0.0/32"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        assertThat(holdings.forget("default-0", "uid-0")).hasSize(1);
        holdings.adopt(block(1, "10.1.0.2/32"), BlockFacts.GOOD, 1);
        assertThat(holdings.free(container("c1"), terms, 2)).isNotNull();
        assertThat(address(assign("c2", 3))).isEqualTo("10.1.0.2");
    }

    @Test
    void a12AnAddressThatAContainerHasIsNotGivenAgainWhenItsBlockComesLater() {
        boolean home =
                holdings.restoring()
                        .container(
                                container("old"),
                                null,
                                "default",
                                List.of(Address.parse("10.1.0.0")),
                                0);
        assertThat(home).isFalse();
        assertThat(holdings.assignments()).singleElement().matches(Assignment::homeless);

        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 1);

        assertThat(holdings.assignments())
                .singleElement()
                .satisfies(a -> assertThat(a.block()).isEqualTo("default-0"));
        assertThat(address(assign("c1", 2))).isEqualTo("10.1.0.1");
        assertThat(address(assign("c2", 2))).isEqualTo("none");
    }

    @Test
    void aBlockThatCameBackUnderItsNameKeepsWhatItsContainersHave() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        holdings.forget("default-0", "uid-0");
        holdings.adopt(
                new BlockIdentity(
                        "default-0",
                        "uid-later",
                        "default",
                        "pool-uid",
                        BlockRange.parse("10.1.0.0/31", null),
                        false),
                BlockFacts.GOOD,
                1);

        assertThat(address(assign("c2", 2))).isEqualTo("10.1.0.1");
        holdings.free(container("c1"), terms, 3);
        holdings.free(container("c2"), terms, 3);
        assertThat(holdings.returns().begin("default-0", "uid-later")).isTrue();
    }

    @Test
    void a10ABlockOfAnEarlierPoolOfThatNameGivesNothingAndGoesWhenEmpty() {
        holdings.adopt(block(0, "10.1.0.0/31"), BlockFacts.GOOD, 0);
        assign("c1", 0);
        PoolTerms again =
                new PoolTerms(
                        "another-uid",
                        PoolTerms.State.SERVING,
                        null,
                        0,
                        Duration.ZERO,
                        CollectionMode.ON);
        pools.put("default", again);

        assertThat(address(assign("c2", 1))).isEqualTo("none");
        assertThat(holdings.hasRoom("default", again, 1)).isFalse();
        holdings.free(container("c1"), terms, 2);
        assertThat(due(3)).as("at once, whoever waits").containsExactly("default-0");
    }

    @Test
    void aReservedBlockGivesNothingAndIsNotReturned() {
        holdings.adopt(
                new BlockIdentity(
                        "default-0",
                        "uid-0",
                        "default",
                        "pool-uid",
                        BlockRange.parse("10.1.0.0/32", null),
                        true),
                BlockFacts.GOOD,
                0);
        assertThat(address(assign("c1", 0))).isEqualTo("none");
        holdings.demand().satisfied(POD);
        assertThat(due(LINGER)).isEmpty();
    }
}
