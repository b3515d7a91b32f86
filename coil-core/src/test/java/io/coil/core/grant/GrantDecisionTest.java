package io.coil.core.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.core.ledger.LedgerBlock;
import io.coil.core.ledger.PoolLedger;
import io.coil.core.ledger.Reservation;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolText;
import io.coil.core.pool.PoolText.SubnetText;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

class GrantDecisionTest {
    private static final PoolText P2 =
            new PoolText("default", 1, List.of(new SubnetText("10.1.0.0/29", null)), Map.of());

    private final PoolLedger ledger = new PoolLedger();

    @Test
    void theFirstFreeBlockIsRecorded() {
        exists(0, "n2");

        assertThat(decide(request(null), pool()))
                .isEqualTo(new GrantDecision.RecordIntent("default-1", 1, range("10.1.0.2/31")));
    }

    @Test
    void anyConditionIsFinal() {
        RequestView finished = new RequestView("r1", "n1", "default", null, false, true);

        assertThat(decide(finished, pool())).isInstanceOf(GrantDecision.Nothing.class);
        assertThat(decide(finished, null)).isInstanceOf(GrantDecision.Nothing.class);
    }

    @Test
    void aRequestThatIsBeingDeletedGetsNothing() {
        RequestView deleted = new RequestView("r1", "n1", "default", "default-0", true, false);

        assertThat(decide(deleted, pool())).isInstanceOf(GrantDecision.Nothing.class);
    }

    @Test
    void D13_anUnknownPoolFailsAtOnce() {
        assertFails(decide(request(null), null), FailReason.UNKNOWN_POOL, "default");
        assertFails(decide(request("default-0"), null), FailReason.UNKNOWN_POOL, "default");
    }

    @Test
    void D3_aPoolThatIsBeingDeletedGivesNoBlockNotEvenARecordedOne() {
        PoolView deleted = new PoolView("p", true, false, P2.read(), OptionalInt.empty());

        assertFails(decide(request(null), deleted), FailReason.POOL_BEING_DELETED, "default");
        assertFails(
                decide(request("default-0"), deleted), FailReason.POOL_BEING_DELETED, "default");
    }

    @Test
    void aDrainedPoolBeginsNothingButFinishesWhatWasBegun() {
        PoolView drained = new PoolView("p", false, true, P2.read(), OptionalInt.empty());

        assertFails(decide(request(null), drained), FailReason.POOL_DRAINED, "default");
        assertThat(decide(request("default-0"), drained))
                .isInstanceOf(GrantDecision.FinishIntent.class);
    }

    @Test
    void h13_aRecordedIntentIsFinishedBeforeTheFullPoolIsJudged() {
        // given a pool that is full, by the very block of this request
        for (int i = 0; i < 4; i++) {
            exists(i, "n1");
        }

        // then another request fails, naming the holders, and this one goes on
        assertFails(
                decide(request(null), pool()),
                FailReason.EXHAUSTED,
                "pool default: 4/4 blocks in use (n1: 4)");
        assertThat(decide(request("default-2"), pool()))
                .isEqualTo(new GrantDecision.FinishIntent("default-2", 2, range("10.1.0.4/31")));
    }

    @Test
    void h13b_anIntentIsNeverChosenAnew() {
        exists(0, "n2"); // another's; the API will say so, and the request fails then

        assertThat(decide(request("default-0"), pool()))
                .isEqualTo(new GrantDecision.FinishIntent("default-0", 0, range("10.1.0.0/31")));
    }

    @Test
    void anIntentThatThePoolDoesNotHaveFails() {
        for (String intent : List.of("default-4", "other-0", "nonsense")) {
            assertFails(decide(request(intent), pool()), FailReason.INDEX_TAKEN, intent);
        }
    }

    @Test
    void anIntentWhoseAddressesAreAnothersByNowFails() {
        // given an intent, and a block of another size of the time before the pool was made anew
        ledger.put(new LedgerBlock("default-1", "u", "default", 1, range("10.1.0.4/30"), "n2"));

        assertFails(decide(request("default-2"), pool()), FailReason.INDEX_TAKEN, "default-1");
    }

    @Test
    void anIntentWhoseBlockExistsIsFinishedWhateverItMeets() {
        ledger.put(new LedgerBlock("b-0", "u", "b", 0, range("10.1.0.0/28"), "n2"));
        exists(2, "n1");

        assertThat(decide(request("default-2"), pool()))
                .isInstanceOf(GrantDecision.FinishIntent.class);
        assertFails(decide(request("default-1"), pool()), FailReason.INDEX_TAKEN, "b-0");
    }

    @Test
    void ownPromisesAreNoObstacle() {
        ledger.reserve(new Reservation("r1", "default", 0, range("10.1.0.0/31"), "n1"));

        assertThat(decide(request("default-0"), pool()))
                .isInstanceOf(GrantDecision.FinishIntent.class);
    }

    @Test
    void theLimitPerNodeCountsThisNodeOnly() {
        exists(0, "n1");
        exists(1, "n2");
        exists(2, "n2");
        PoolView two = new PoolView("p", false, false, P2.read(), OptionalInt.of(2));
        PoolView one = new PoolView("p", false, false, P2.read(), OptionalInt.of(1));

        assertThat(decide(request(null), two)).isInstanceOf(GrantDecision.RecordIntent.class);
        assertFails(
                decide(request(null), one),
                FailReason.NODE_LIMIT,
                "node n1 has 1 blocks of pool default, the limit per node is 1");
        assertThat(decide(request("default-3"), one))
                .isInstanceOf(GrantDecision.FinishIntent.class);
    }

    @Test
    void F5_namesThatCannotBeLabelsFail() {
        String longName = "n".repeat(64);

        assertFails(
                decide(new RequestView("r1", longName, "default", null, false, false), pool()),
                FailReason.NAME_TOO_LONG,
                "node name " + longName);
        assertFails(
                decide(new RequestView("r1", "n1", longName, null, false, false), null),
                FailReason.NAME_TOO_LONG,
                "pool name " + longName);
        assertThat(
                        decide(
                                new RequestView(
                                        "r1", "n".repeat(63), "default", null, false, false),
                                pool()))
                .isInstanceOf(GrantDecision.RecordIntent.class);
    }

    @Test
    void aPoolThatCannotBeReadSaysWhy() {
        PoolReading bad =
                new PoolText("default", 1, List.of(new SubnetText("x", null)), Map.of()).read();

        assertFails(
                decide(request(null), new PoolView("p", false, false, bad, OptionalInt.empty())),
                FailReason.POOL_INVALID,
                "spec.subnets[0].ipv4");
    }

    @Test
    void h14_anExistingBlockIsOursOnlyWithOurUid() {
        assertThat(AfterCreate.decide("default-0", "r1", false, "r1"))
                .isInstanceOf(AfterCreate.Complete.class);
        for (String other : new String[] {"r2", null}) {
            assertThat(AfterCreate.decide("default-0", other, false, "r1"))
                    .isInstanceOfSatisfying(
                            AfterCreate.Fail.class,
                            fail -> assertThat(fail.reason()).isEqualTo(FailReason.INDEX_TAKEN));
        }
        assertThat(AfterCreate.decide("default-0", "r1", true, "r1"))
                .isInstanceOf(AfterCreate.Fail.class);
    }

    private GrantDecision decide(RequestView request, @Nullable PoolView pool) {
        return GrantDecision.decide(request, pool, ledger);
    }

    private static void assertFails(GrantDecision decision, FailReason reason, String word) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        GrantDecision.Fail.class,
                        fail -> {
                            assertThat(fail.reason()).isEqualTo(reason);
                            assertThat(fail.message()).contains(word);
                        });
    }

    private void exists(int index, String node) {
        ledger.put(
                new LedgerBlock(
                        "default-" + index,
                        "u" + index,
                        "default",
                        index,
                        range("10.1.0." + 2 * index + "/31"),
                        node));
    }

    private static RequestView request(@Nullable String intent) {
        return new RequestView("r1", "n1", "default", intent, false, false);
    }

    private static PoolView pool() {
        return new PoolView("p", false, false, P2.read(), OptionalInt.empty());
    }

    private static BlockRange range(String ipv4) {
        return BlockRange.parse(ipv4, null);
    }
}
