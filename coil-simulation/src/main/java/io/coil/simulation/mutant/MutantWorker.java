package io.coil.simulation.mutant;

import java.util.ArrayList;
import java.util.List;

/** One process that tries some of the mutants, and says a line for each. */
public final class MutantWorker {
    static final String TRIED = "tried ";

    private MutantWorker() {}

    /** Arguments: the first mutant's place, the step to the next, first seed, seeds, options. */
    public static void main(String[] args) {
        int step = Integer.parseInt(args[1]);
        long from = Long.parseLong(args[2]);
        long seeds = Long.parseLong(args[3]);
        List<Mutant> all = all();
        for (int place = Integer.parseInt(args[0]); place < all.size(); place += step) {
            System.out.println(TRIED + Trial.of(all.get(place), from, seeds, args[4]).line());
            System.out.flush();
        }
    }

    /** The programs as they are, and every mutant. */
    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.add(new Mutant("as-it-is", Mutant.Expected.HARMLESS, null, "nothing", List.of()));
        all.addAll(Catalogue.all());
        return all;
    }
}
