package io.coil.simulation.shrink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

class ShrinkerTest {

    @Test
    @DisplayName("what is left is what it takes")
    void findsWhatItTakes() {
        Set<Integer> needed = Set.of(3, 17, 90);
        List<Integer> progress = new ArrayList<>();

        Set<Integer> kept =
                new Shrinker(k -> k.containsAll(needed), 500, progress::add).smallest(120);

        assertThat(kept).isEqualTo(needed);
        assertThat(progress).isSortedAccordingTo((a, b) -> b - a).endsWith(3);
    }

    @Test
    @DisplayName("it spends no more runs than it may, and what it returns is still broken")
    void keepsToItsRuns() {
        int[] runs = {0};
        Set<Integer> kept =
                new Shrinker(
                                k -> {
                                    runs[0]++;
                                    return k.contains(1) && k.contains(60);
                                },
                                7,
                                left -> {})
                        .smallest(100);

        assertThat(runs[0]).isLessThanOrEqualTo(7);
        assertThat(kept).contains(1, 60);
    }

    @Test
    @DisplayName("places are written as people write pages")
    void placesAsText() {
        Set<Integer> places = new TreeSet<>(Set.of(0, 3, 7, 8, 9));

        assertThat(Places.text(places)).isEqualTo("0,3,7-9");
        assertThat(Places.parse("0,3,7-9")).isEqualTo(places);
        assertThatIllegalArgumentException().isThrownBy(() -> Places.parse("7-3"));
        assertThatIllegalArgumentException().isThrownBy(() -> Places.parse("a"));
    }
}
