package io.coil.core.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;

class OrphansTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = Long.MAX_VALUE - 5 * SECOND; // clocks may wrap around
    private static final OrphanBlock BLOCK = new OrphanBlock("default-0", "u1", "n1", false, false);

    private final Orphans orphans = new Orphans(Duration.ofMinutes(2));

    @Test
    void anOrphanGoesStepByStep() {
        assertThat(orphans.look(BLOCK, false, at(0)))
                .isEqualTo(new OrphanStep.Wait(Duration.ofMinutes(2)));
        assertThat(orphans.look(BLOCK, false, at(119)))
                .isEqualTo(new OrphanStep.Wait(Duration.ofSeconds(1)));
        assertThat(orphans.look(BLOCK, false, at(120))).isInstanceOf(OrphanStep.ReadNode.class);
        assertThat(orphans.nodeRead(BLOCK, false, at(120))).isInstanceOf(OrphanStep.Delete.class);
        assertThat(orphans.deleted("u1")).isInstanceOf(OrphanStep.ReadNodeAgain.class);
        assertThat(orphans.nodeReadAgain("u1", false, at(130)))
                .isInstanceOf(OrphanStep.TakeFinalizer.class);
        assertThat(orphans.age("u1", at(130))).isEqualTo(Duration.ofSeconds(130));
        orphans.forget("u1");
        assertThat(orphans.candidates()).isZero();
    }

    @Test
    void F2_aNodeThatComesBackEndsTheCandidacyAndTheGraceBeginsAnew() {
        orphans.look(BLOCK, false, at(0));

        assertThat(orphans.look(BLOCK, true, at(20))).isInstanceOf(OrphanStep.LeaveToAgent.class);

        assertThat(orphans.look(BLOCK, false, at(130)))
                .isEqualTo(new OrphanStep.Wait(Duration.ofMinutes(2)));
    }

    @Test
    void F1_theCacheLacksTheNodeButTheLiveReadFindsIt() {
        orphans.look(BLOCK, false, at(0));
        orphans.look(BLOCK, false, at(120));

        assertThat(orphans.nodeRead(BLOCK, true, at(120)))
                .isInstanceOf(OrphanStep.LeaveToAgent.class);
        assertThat(orphans.candidates()).isZero();
    }

    @Test
    void h02_aNodeThatIsBackAfterTheDeleteKeepsTheFinalizer() {
        untilDeleted(BLOCK);

        assertThat(orphans.nodeReadAgain("u1", true, at(121)))
                .isInstanceOf(OrphanStep.LeaveToAgent.class);
    }

    @Test
    void h19_tooLongBetweenTheTwoReadsBeginsAgain() {
        untilDeleted(BLOCK);

        assertThat(orphans.nodeReadAgain("u1", false, at(120) + 10 * SECOND + 1))
                .isInstanceOf(OrphanStep.BeginAgain.class);

        // then the first read counts no more, and neither does the grace: a Node may have come and
        // gone
        assertThat(orphans.nodeReadAgain("u1", false, at(131)))
                .isInstanceOf(OrphanStep.BeginAgain.class);
        OrphanBlock deleted = new OrphanBlock("default-0", "u1", "n1", false, true);
        assertThat(orphans.look(deleted, false, at(131))).isInstanceOf(OrphanStep.Wait.class);
        assertThat(orphans.look(deleted, false, at(251))).isInstanceOf(OrphanStep.ReadNode.class);
        assertThat(orphans.nodeRead(deleted, false, at(251)))
                .isInstanceOf(OrphanStep.ReadNodeAgain.class);
        assertThat(orphans.nodeReadAgain("u1", false, at(252)))
                .isInstanceOf(OrphanStep.TakeFinalizer.class);
    }

    @Test
    void h19_aTryThatFailedLongAgoBeginsAgainWithItsGrace() {
        orphans.look(BLOCK, false, at(0));
        orphans.look(BLOCK, false, at(120));
        orphans.nodeRead(BLOCK, false, at(120));

        assertThat(orphans.look(BLOCK, false, at(130))).isInstanceOf(OrphanStep.ReadNode.class);
        assertThat(orphans.look(BLOCK, false, at(131))).isInstanceOf(OrphanStep.Wait.class);
    }

    @Test
    void noStepCanBeSkipped() {
        assertThat(orphans.nodeRead(BLOCK, false, at(0))).isInstanceOf(OrphanStep.BeginAgain.class);
        assertThat(orphans.deleted("u1")).isInstanceOf(OrphanStep.BeginAgain.class);
        assertThat(orphans.nodeReadAgain("u1", false, at(0)))
                .isInstanceOf(OrphanStep.BeginAgain.class);

        orphans.look(BLOCK, false, at(0));
        assertThat(orphans.nodeReadAgain("u1", false, at(0)))
                .isInstanceOf(OrphanStep.BeginAgain.class);
        assertThat(orphans.deleted("u1")).isInstanceOf(OrphanStep.BeginAgain.class);
        // a read before the grace is over does not count either
        assertThat(orphans.nodeRead(BLOCK, false, at(119)))
                .isInstanceOf(OrphanStep.BeginAgain.class);
    }

    @Test
    void aBlockWithoutANodeLabelIsNeverCollected() {
        OrphanBlock unlabelled = new OrphanBlock("default-0", "u1", null, false, true);

        assertThat(orphans.look(unlabelled, false, at(0))).isInstanceOf(OrphanStep.Keep.class);
        assertThat(orphans.look(unlabelled, false, at(999))).isInstanceOf(OrphanStep.Keep.class);
    }

    @Test
    void aReservedBlockIsKeptUntilSomebodyDeletesIt() {
        assertThat(orphans.look(new OrphanBlock("b", "u1", "n1", true, false), false, at(999)))
                .isInstanceOf(OrphanStep.Keep.class);
        assertThat(orphans.look(new OrphanBlock("b", "u1", "n1", true, true), false, at(999)))
                .isInstanceOf(OrphanStep.Wait.class);
    }

    @Test
    void anotherBlockOfThatNameIsAnotherCandidate() {
        orphans.look(BLOCK, false, at(0));
        OrphanBlock other = new OrphanBlock("default-0", "u2", "n1", false, false);

        assertThat(orphans.look(other, false, at(200)))
                .isEqualTo(new OrphanStep.Wait(Duration.ofMinutes(2)));
        orphans.retain(Set.of("u2"));
        assertThat(orphans.candidates()).isEqualTo(1);
        assertThat(orphans.age("u1", at(200))).isZero();
    }

    private void untilDeleted(OrphanBlock block) {
        orphans.look(block, false, at(0));
        orphans.look(block, false, at(120));
        orphans.nodeRead(block, false, at(120));
        orphans.deleted(block.uid());
    }

    private static long at(long seconds) {
        return START + seconds * SECOND;
    }
}
