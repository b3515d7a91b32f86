package io.coil.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.simulation.Entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** The simulation finds what it is there to find, and nothing else. */
class MutantsTest {
    /** A mutant that chance needs more seeds for is to be played instead. */
    private static final long MOST_SEEDS = 150;

    private static final long HARMLESS_SEEDS = 4;

    static Stream<Mutant> caught() {
        return Catalogue.all().stream().filter(m -> m.expected() == Mutant.Expected.CAUGHT);
    }

    static Stream<Mutant> notCaught() {
        return Catalogue.all().stream().filter(m -> m.expected() != Mutant.Expected.CAUGHT);
    }

    @ParameterizedTest
    @MethodSource("caught")
    void isCaughtAndTheProgramAsItIsIsNot(Mutant mutant) {
        MutantRuns runs = new MutantRuns(mutant);
        long seed = 1;
        String found = runs.run(seed, "");
        while (found.isEmpty() && seed < MOST_SEEDS) {
            found = runs.run(++seed, "");
        }
        assertThat(found).as("%s, seeds 1 to %d", mutant.name(), seed).isNotEmpty();
        assertThat(Entry.run(seed, "")).as("seed %d without the mutation", seed).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("notCaught")
    void findsItsPlacesAndBreaksNothingInAFewRuns(Mutant mutant) {
        MutantRuns runs = new MutantRuns(mutant);
        if (mutant.expected() == Mutant.Expected.HARMLESS) {
            for (long seed = 1; seed <= HARMLESS_SEEDS; seed++) {
                assertThat(runs.run(seed, "")).as("%s, seed %d", mutant.name(), seed).isEmpty();
            }
        }
    }

    @Test
    void aPlaceThatIsNotThereAsOftenAsSaidIsAnError() {
        Rewriting twice =
                Rewriting.in("agent.block.Adoption", "look")
                        .each(Place.call("KubeApi.get"), 2)
                        .answer(null);
        Mutant wrong =
                new Mutant("wrong", Mutant.Expected.HARMLESS, null, "nothing", List.of(twice));
        assertThatThrownBy(() -> new MutantRuns(wrong))
                .hasMessageContaining("Adoption#look: KubeApi.get() is there 1 times, not 2");
    }

    @Test
    void aHookThatDoesNotFitIsAnError() {
        Rewriting unfit =
                Rewriting.in("agent.block.Adoption", "look")
                        .at(Place.call("KubeApi.get"))
                        .instead("AgentHooks.claimNothing");
        Mutant wrong =
                new Mutant("wrong", Mutant.Expected.HARMLESS, null, "nothing", List.of(unfit));
        assertThatThrownBy(() -> new MutantRuns(wrong)).hasMessageContaining("takes");
    }
}
