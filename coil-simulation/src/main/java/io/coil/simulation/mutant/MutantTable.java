package io.coil.simulation.mutant;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page that says which mutants are caught. */
final class MutantTable {
    /** How the trials were made. */
    record Made(long from, long seeds, int processes, Duration took, LocalDate on) {}

    private MutantTable() {}

    static String of(List<Trial> trials, Made made) {
        Map<String, Mutant> mutants =
                MutantWorker.all().stream()
                        .collect(Collectors.toMap(Mutant::name, Function.identity()));
        StringBuilder page = new StringBuilder(head(made));
        for (Trial trial : trials) {
            Mutant mutant = mutants.get(trial.mutant());
            if (mutant == null) {
                throw new IllegalStateException("no mutant " + trial.mutant());
            }
            page.append(line(trial, mutant));
        }
        return page.append(WHY).append(reasons(trials)).toString();
    }

    private static String line(Trial trial, Mutant mutant) {
        return "| `%s` | %s | %s | %s | %s | %s | %s | %s |%n"
                .formatted(
                        mutant.name(),
                        mutant.what(),
                        mutant.expected().text(),
                        caught(trial.chance()),
                        trial.aimed().runs() == 0
                                ? ""
                                : caught(trial.aimed()) + ", " + Leads.aim(mutant.name()),
                        first(trial, mutant),
                        trial.invariants(),
                        executed(trial, mutant));
    }

    private static String caught(Trial.Count count) {
        return (count.enough() ? "%d of the first %d" : "%d of %d")
                .formatted(count.caught(), count.runs());
    }

    private static String first(Trial trial, Mutant mutant) {
        boolean harmless = mutant.expected() == Mutant.Expected.HARMLESS;
        long seed = harmless ? trial.executed() : trial.first();
        return seed == 0 ? "" : Long.toString(seed);
    }

    private static String executed(Trial trial, Mutant mutant) {
        int places = mutant.rewritings().size();
        return places == 0
                ? ""
                : "%d of %d, in %d"
                        .formatted(
                                trial.places(),
                                places,
                                trial.chance().executed() + trial.aimed().executed());
    }

    private static String reasons(List<Trial> trials) {
        return trials.stream()
                .filter(t -> !Reasons.of(t.mutant()).isEmpty())
                .map(t -> "| `%s` | %s |%n".formatted(t.mutant(), Reasons.of(t.mutant())))
                .collect(Collectors.joining());
    }

    private static String head(Made made) {
        return """
            # Mutants

            Does the simulation find what it is there to find? Each line is the programs with one rule read more loosely, made by [rewriting their byte
            code](adr/0021-mutants-by-rewriting.md) while it is loaded; the programs themselves have no switch. `./coil simulate --mutants --seeds %1$d` tries
            them all and writes this page: seeds %2$d to %3$d of each, and %8$d with an aim; or fewer, where it is caught %4$d times before. It took
            %6$d minutes in %5$d process(es), on %7$s.
            The names are those of the runs of [the model](model/README.md) that read the same point loosely; x: mistakes that one makes without a model.

            - **caught**: runs find it whose plan is a function of the seed, many of them with an aim. `MutantsTest` sees to it, beginning at the first seed
              that is named here.
            - **played**: too rare for that, or seen only by who knows how long a pod may wait. A schedule is played against it, which breaks something, and against the programs as they are, which
              survive it: `TracesTest` for each h, the schedules that the model found; `MistakesTest` for x.
            - **harmless**: no run may break an invariant. Something else in the protocol catches it; the second table says what.

            Caught in: of seeds in a row, of every sort. Aimed: of further seeds with the [aim](simulation.md#what-goes-wrong-in-a-run) that leads to it.
            First: the first seed that caught it; of a harmless one, the first in which it was executed. Executed: how many of its rewritten places
            were executed at all, and in how many runs one was.

            | mutant | what it does otherwise | expected | caught in | aimed | first | invariants (runs) | executed |
            | --- | --- | --- | --- | --- | --- | --- | --- |
            """
                .formatted(
                        made.seeds(),
                        made.from(),
                        made.from() + made.seeds() - 1,
                        Trial.ENOUGH,
                        made.processes(),
                        Math.max(1, Math.round(made.took().toSeconds() / 60.0)),
                        made.on(),
                        Trial.AIMED);
    }

    private static final String WHY =
            """

            ## What else has to be loose

            Where something else catches a mistake, that is said here, and shown where it can be: with both rules off the same schedule breaks something,
            with either of them on it does not (`MistakesTest`).

            | mutant | what catches it, or what it takes |
            | --- | --- |
            """;

    /** What is not as it is expected to be, in a line; empty if all is. */
    static String surprise(Trial trial) {
        boolean caught = trial.caught() > 0;
        return switch (expected(trial)) {
            case CAUGHT -> caught ? "" : trial.mutant() + " is not caught";
            case PLAYED -> "";
            case HARMLESS -> caught ? trial.mutant() + " does harm: seed " + trial.first() : "";
        };
    }

    private static Mutant.Expected expected(Trial trial) {
        return MutantWorker.all().stream()
                .filter(m -> m.name().equals(trial.mutant()))
                .findFirst()
                .orElseThrow()
                .expected();
    }
}
