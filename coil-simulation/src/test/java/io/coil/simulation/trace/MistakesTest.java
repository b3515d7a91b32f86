package io.coil.simulation.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.simulation.mutant.Catalogue;
import io.coil.simulation.mutant.Mutant;
import io.coil.simulation.mutant.MutantRuns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/**
 * Mistakes that one makes without a model: the programs survive the schedule in which the mutant
 * does harm. Where two rules must be off before anything breaks, each of them alone survives it
 * too: the other one is what makes it harmless.
 */
class MistakesTest {
    private static final int SEEDS = 3;

    static List<String> names() {
        return Mistakes.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theProgramSurvivesIt(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(Mistakes.play(name, seed)).as("%s, seed %d", name, seed).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void itsMutantDoesNot(String name) {
        MutantRuns mutant = new MutantRuns(Catalogue.named(name));
        String found = "";
        for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
            found = mutant.call(Mistakes.class.getName(), "play", name, seed);
        }
        assertThat(found).as("%s, seeds 1 to %d", name, SEEDS).contains("invariant");
    }

    @ParameterizedTest
    @CsvSource({
        "x02b-as-coil-v2, x02-deleted-on-time-out",
        "x02b-as-coil-v2, x10-asked-only",
        "x11-stray-eager-asked-only, n6-stray-eager",
        "x11-stray-eager-asked-only, x10-asked-only",
    })
    void whereTwoAreOffEachAloneSurvivesIt(String pair, String one) {
        MutantRuns mutant = new MutantRuns(Catalogue.named(one));
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(mutant.call(Mistakes.class.getName(), "play", pair, seed))
                    .as("schedule %s, mutant %s, seed %d", pair, one, seed)
                    .isEmpty();
        }
    }

    @Test
    void everyMistakeThatIsNotLeftToChanceIsPlayed() {
        List<String> played =
                Catalogue.all().stream()
                        .filter(m -> m.expected() == Mutant.Expected.PLAYED)
                        .map(Mutant::name)
                        .filter(n -> n.startsWith("x"))
                        .toList();
        assertThat(names()).containsAll(played);
    }
}
