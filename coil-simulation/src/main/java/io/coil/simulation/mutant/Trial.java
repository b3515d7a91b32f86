package io.coil.simulation.mutant;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a simulation made of a mutant.
 *
 * @param mutant its name
 * @param runs how many
 * @param caught in how many of them an invariant did not hold
 * @param invariants which, and how often: {@code 1 (5), 7 (2)}
 * @param first the first seed that caught it, and what it found; empty if none did
 */
record Trial(String mutant, long runs, long caught, String invariants, String first) {
    private static final String BETWEEN = "\t";

    /** Runs that many seeds. */
    static Trial of(Mutant mutant, long from, long seeds, String options) {
        MutantRuns runs = new MutantRuns(mutant);
        long caught = 0;
        String first = "";
        Map<Integer, Integer> invariants = new TreeMap<>();
        for (long seed = from; seed < from + seeds; seed++) {
            String found = runs.run(seed, options);
            if (!found.isEmpty()) {
                caught++;
                invariants.merge(invariant(found), 1, Integer::sum);
                if (first.isEmpty()) {
                    first = seed + ": " + found.replace('\t', ' ');
                }
            }
        }
        return new Trial(mutant.name(), seeds, caught, text(invariants), first);
    }

    /** The number at the beginning of a violation's text. */
    private static int invariant(String found) {
        return Integer.parseInt(found.replaceFirst("^invariant (\\d+).*", "$1"));
    }

    private static String text(Map<Integer, Integer> invariants) {
        return invariants.entrySet().stream()
                .map(e -> "%d (%d)".formatted(e.getKey(), e.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** For another process. */
    String line() {
        return String.join(
                BETWEEN,
                mutant,
                Long.toString(runs),
                Long.toString(caught),
                invariants.isEmpty() ? "-" : invariants,
                first.isEmpty() ? "-" : first);
    }

    /** What {@link #line} wrote. */
    static Trial parse(String line) {
        String[] parts = line.split(BETWEEN, -1);
        return new Trial(
                parts[0],
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                parts[3].equals("-") ? "" : parts[3],
                parts[4].equals("-") ? "" : parts[4]);
    }
}
