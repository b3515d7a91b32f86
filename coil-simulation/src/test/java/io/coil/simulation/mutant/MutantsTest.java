package io.coil.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coil.simulation.Entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The simulation finds what it is there to find, and nothing else. */
class MutantsTest {
    /** The page that {@code ./coil simulate --mutants} writes. */
    private static final Path PAGE = Path.of("../docs/simulation-mutants.md");

    /**
     * So many seeds besides the one that caught it when the page was written. Whatever is changed
     * since then, chance falls otherwise; a mutant that needs more is to be played instead.
     */
    private static final int TRIES = 40;

    private static final Map<String, Long> FIRST = firstSeeds();

    private static Map<String, Long> firstSeeds() {
        Map<String, Long> first = new HashMap<>();
        try (Stream<String> lines = Files.lines(PAGE)) {
            lines.map(line -> line.split("\\s*\\|\\s*", -1))
                    .filter(cells -> cells.length == 10 && cells[1].startsWith("`"))
                    .forEach(
                            cells ->
                                    first.put(
                                            cells[1].replace("`", ""),
                                            cells[6].isEmpty() ? 0 : Long.parseLong(cells[6])));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return first;
    }

    /** The one that is on the page; then those with its aim and, by turns, all in a row. */
    private static long[] seeds(Mutant mutant) {
        LongStream recorded =
                Stream.ofNullable(FIRST.get(mutant.name()))
                        .mapToLong(Long::longValue)
                        .filter(seed -> seed > 0);
        long[] aimed = Leads.seeds(mutant.name(), 1, TRIES).toArray();
        LongStream others =
                aimed.length == 0
                        ? LongStream.rangeClosed(1, TRIES)
                        : IntStream.range(0, TRIES)
                                .mapToLong(i -> i % 2 == 0 ? aimed[i / 2] : i / 2 + 1);
        return LongStream.concat(recorded, others).toArray();
    }

    static Stream<Mutant> caught() {
        return Catalogue.all().stream().filter(m -> m.expected() == Mutant.Expected.CAUGHT);
    }

    static Stream<Mutant> harmless() {
        return Catalogue.all().stream().filter(m -> m.expected() == Mutant.Expected.HARMLESS);
    }

    @ParameterizedTest
    @MethodSource("caught")
    void isCaughtAndTheProgramAsItIsIsNot(Mutant mutant) {
        MutantRuns runs = new MutantRuns(mutant);
        long[] seeds = seeds(mutant);
        int which = 0;
        String found = runs.run(seeds[which], "");
        while (found.isEmpty() && which < seeds.length - 1) {
            found = runs.run(seeds[++which], "");
        }
        long seed = seeds[which];
        assertThat(found).as("%s, up to seed %d", mutant.name(), seed).isNotEmpty();
        assertThat(Entry.run(seed, "")).as("seed %d without the mutation", seed).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void isExecutedAndBreaksNothing(Mutant mutant) {
        MutantRuns runs = new MutantRuns(mutant);
        Set<Integer> executed = new TreeSet<>();
        for (long seed : seeds(mutant)) {
            assertThat(runs.run(seed, "")).as("%s, seed %d", mutant.name(), seed).isEmpty();
            executed.addAll(runs.reached().keySet());
            if (!executed.isEmpty()) {
                break;
            }
        }
        assertThat(executed).as("rewritings that were executed").isNotEmpty();
        assertThat(Reasons.of(mutant.name())).as("why it is harmless").isNotEmpty();
    }

    @Test
    void thePageHasEachMutant() {
        Set<String> names =
                MutantWorker.all().stream()
                        .map(Mutant::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(FIRST.keySet())).isEqualTo(names);
    }

    @Test
    void whatReasonsAndAimsAreForIsInTheCatalogue() {
        Set<String> names =
                MutantWorker.all().stream().map(Mutant::name).collect(Collectors.toSet());
        assertThat(names).containsAll(Reasons.names()).containsAll(Leads.mutants());
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
