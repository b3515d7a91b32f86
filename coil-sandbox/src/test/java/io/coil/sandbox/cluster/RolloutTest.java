package io.coil.sandbox.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class RolloutTest {
    private static final Rollout TWO = new Rollout(2, false, 1, 0);

    @Test
    void aDeploymentWithoutOldPodsIsScaledAtOnce() {
        var sets = List.of(new Rollout.Set("new", true, 0, 0, 0));

        assertThat(TWO.next(sets)).containsEntry("new", 2);
        assertThat(new Rollout(0, false, 1, 0).next(List.of(new Rollout.Set("new", true, 2, 2, 2))))
                .containsEntry("new", 0);
    }

    @Test
    void aRollingUpdateNeverHasFewerReadyPodsThanAllowed() {
        List<Rollout.Set> sets =
                List.of(
                        new Rollout.Set("old", false, 2, 2, 2),
                        new Rollout.Set("new", true, 0, 0, 0));
        int steps = 0;
        while (!TWO.next(sets).equals(Map.of("old", 0, "new", 2))) {
            sets = carriedOut(TWO.next(sets), sets);

            assertThat(sets.stream().mapToInt(Rollout.Set::ready).sum()).isGreaterThanOrEqualTo(2);
            assertThat(sets.stream().mapToInt(Rollout.Set::wanted).sum()).isLessThanOrEqualTo(3);
            assertThat(++steps).isLessThan(10);
        }
    }

    @Test
    void oldPodsThatAreNotReadyGoFirst() {
        var sets =
                List.of(
                        new Rollout.Set("broken", false, 1, 1, 0),
                        new Rollout.Set("good", false, 2, 2, 2),
                        new Rollout.Set("new", true, 0, 0, 0));

        assertThat(TWO.next(sets)).containsEntry("broken", 0).containsEntry("good", 2);
    }

    @Test
    void recreateWaitsUntilTheOldPodsAreGone() {
        Rollout recreate = new Rollout(2, true, 0, 0);

        assertThat(
                        recreate.next(
                                List.of(
                                        new Rollout.Set("old", false, 0, 1, 1),
                                        new Rollout.Set("new", true, 0, 0, 0))))
                .containsEntry("new", 0);
        assertThat(
                        recreate.next(
                                List.of(
                                        new Rollout.Set("old", false, 0, 0, 0),
                                        new Rollout.Set("new", true, 0, 0, 0))))
                .containsEntry("new", 2);
    }

    private static List<Rollout.Set> carriedOut(Map<String, Integer> next, List<Rollout.Set> sets) {
        List<Rollout.Set> after = new ArrayList<>();
        for (Rollout.Set set : sets) {
            int pods = next.getOrDefault(set.name(), 0);
            after.add(new Rollout.Set(set.name(), set.current(), pods, pods, pods));
        }
        return after;
    }
}
