package io.coil.simulation.mutant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a simulation made of a mutant.
 *
 * @param mutant its name
 * @param chance what came of seeds in a row, of every sort
 * @param aimed what came of further seeds, with the aim that leads to it
 * @param places how many of its rewritings were executed in any run
 * @param invariants which did not hold, and how often: {@code 1 (5), 7 (2)}
 * @param first the first seed that caught it; 0: none did
 * @param executed the first seed in which rewritten code was executed; 0: in none
 */
record Trial(
        String mutant,
        Count chance,
        Count aimed,
        int places,
        String invariants,
        long first,
        long executed) {
    /** More tell nothing new. */
    static final int ENOUGH = 5;

    /** With the aim that leads to it. */
    static final int AIMED = 10;

    private static final String BETWEEN = "\t";

    /** Runs; how many of them executed what was rewritten, and how many found something. */
    record Count(int runs, int executed, int caught) {
        boolean enough() {
            return caught >= ENOUGH;
        }

        private String line() {
            return runs + " " + executed + " " + caught;
        }

        private static Count parse(String line) {
            String[] numbers = line.split(" ", -1);
            return new Count(
                    Integer.parseInt(numbers[0]),
                    Integer.parseInt(numbers[1]),
                    Integer.parseInt(numbers[2]));
        }
    }

    int caught() {
        return chance.caught() + aimed.caught();
    }

    /** Runs that many seeds in a row, or until it is caught often enough; then some aimed ones. */
    static Trial of(Mutant mutant, long from, long seeds, String options) {
        Runs runs = new Runs(mutant, options);
        Count chance = runs.run(LongStream.range(from, from + seeds));
        Count aimed = runs.run(Leads.seeds(mutant.name(), from + seeds, AIMED));
        return new Trial(
                mutant.name(),
                chance,
                aimed,
                runs.places.size(),
                runs.invariants(),
                runs.caught.isEmpty() ? 0 : runs.caught.keySet().iterator().next(),
                runs.executed);
    }

    private static final class Runs {
        private final MutantRuns mutated;
        private final String options;
        private final Map<Long, String> caught = new LinkedHashMap<>();
        private final Set<Integer> places = new TreeSet<>();
        private long executed;

        Runs(Mutant mutant, String options) {
            this.mutated = new MutantRuns(mutant);
            this.options = options;
        }

        Count run(LongStream seeds) {
            Count count = new Count(0, 0, 0);
            for (long seed : seeds.toArray()) {
                if (count.enough()) {
                    break;
                }
                String found = mutated.run(seed, options);
                boolean reached = !mutated.reached().isEmpty();
                places.addAll(mutated.reached().keySet());
                if (reached && executed == 0) {
                    executed = seed;
                }
                if (!found.isEmpty()) {
                    caught.put(seed, found);
                }
                count =
                        new Count(
                                count.runs() + 1,
                                count.executed() + (reached ? 1 : 0),
                                count.caught() + (found.isEmpty() ? 0 : 1));
            }
            return count;
        }

        String invariants() {
            Map<String, Long> counts =
                    caught.values().stream()
                            .collect(
                                    Collectors.groupingBy(
                                            found ->
                                                    found.replaceFirst("^invariant (\\d+).*", "$1"),
                                            TreeMap::new,
                                            Collectors.counting()));
            return counts.entrySet().stream()
                    .map(e -> "%s (%d)".formatted(e.getKey(), e.getValue()))
                    .collect(Collectors.joining(", "));
        }
    }

    /** For another process. */
    String line() {
        return String.join(
                BETWEEN,
                mutant,
                chance.line(),
                aimed.line(),
                Integer.toString(places),
                invariants.isEmpty() ? "-" : invariants,
                Long.toString(first),
                Long.toString(executed));
    }

    /** What {@link #line} wrote. */
    static Trial parse(String line) {
        String[] parts = line.split(BETWEEN, -1);
        return new Trial(
                parts[0],
                Count.parse(parts[1]),
                Count.parse(parts[2]),
                Integer.parseInt(parts[3]),
                parts[4].equals("-") ? "" : parts[4],
                Long.parseLong(parts[5]),
                Long.parseLong(parts[6]));
    }
}
