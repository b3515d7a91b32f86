package io.coil.simulation.mutant;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page that says which mutants are caught. */
final class MutantTable {
    private MutantTable() {}

    static String of(List<Trial> trials, long seeds) {
        Map<String, Mutant> mutants =
                MutantWorker.all().stream()
                        .collect(Collectors.toMap(Mutant::name, Function.identity()));
        StringBuilder page = new StringBuilder(head(seeds));
        for (Trial trial : trials) {
            Mutant mutant = mutants.get(trial.mutant());
            if (mutant == null) {
                throw new IllegalStateException("no mutant " + trial.mutant());
            }
            page.append(
                    "| `%s` | %s | %s | %d of %d | %s | %s |%n"
                            .formatted(
                                    mutant.name(),
                                    mutant.what(),
                                    mutant.expected().text(),
                                    trial.caught(),
                                    trial.runs(),
                                    trial.invariants(),
                                    trial.first().replace("|", "\\|")));
        }
        return page.toString();
    }

    private static String head(long seeds) {
        return """
            # Mutants

            Does the simulation find what it is there to find? Each line is the program with one rule read more loosely, made by rewriting its
            byte code while it is loaded (`io.coil.simulation.mutant`); the program itself has no switch. %d seeds of each were run with
            `./coil simulate --mutants --seeds %d`, which makes this page. The names are those of the runs of [the model](model/README.md) that reads
            the same point loosely; x: mistakes that one makes without a model.

            - **caught**: runs that are left to chance find it.
            - **played**: too rare for chance. The schedule that [the model found](model/README.md) is played against it, and
              against the program as it is: `TracesTest`.
            - **undecided**: no run has caught it yet, and no schedule is written for it.
            - **harmless**: no run may break an invariant. Something else in the protocol catches it.

            | mutant | what it does otherwise | expected | caught in | invariants (runs) | first |
            | --- | --- | --- | --- | --- | --- |
            """
                .formatted(seeds, seeds);
    }

    /** What is not as it is expected to be, in a line; empty if all is. */
    static String surprise(Trial trial) {
        boolean caught = trial.caught() > 0;
        return switch (expected(trial)) {
            case CAUGHT -> caught ? "" : trial.mutant() + " is not caught";
            case PLAYED, UNDECIDED -> "";
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
