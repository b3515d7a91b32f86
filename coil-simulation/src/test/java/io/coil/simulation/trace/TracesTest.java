package io.coil.simulation.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.simulation.mutant.Catalogue;
import io.coil.simulation.mutant.Mutant;
import io.coil.simulation.mutant.MutantRuns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The traces in which the model of the protocol found its holes, played against the programs: they
 * survive them. Against the mutant that reads the point loosely the same schedule breaks something,
 * so it is known to go through the hole. What is chance in a schedule (latencies) is the seed's.
 */
class TracesTest {
    private static final int SEEDS = 3;

    static List<String> names() {
        return Plays.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theProgramSurvivesIt(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(Plays.play(name, seed)).as("%s, seed %d", name, seed).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void itsMutantDoesNot(String name) {
        MutantRuns mutant = new MutantRuns(Catalogue.named(name));
        String found = "";
        for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
            found = mutant.call(Plays.class.getName(), "play", name, seed);
        }
        assertThat(found).as("%s, seeds 1 to %d", name, SEEDS).isNotEmpty();
    }

    @Test
    void everyHoleOfTheModelIsPlayed() {
        Set<String> holes =
                Catalogue.all().stream()
                        .map(Mutant::name)
                        .filter(n -> n.startsWith("h"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(names())).isEqualTo(holes);
    }
}
