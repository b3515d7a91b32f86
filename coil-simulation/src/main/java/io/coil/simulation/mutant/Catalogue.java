package io.coil.simulation.mutant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every mutant. */
public final class Catalogue {
    private Catalogue() {}

    public static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(AgentMutants.all());
        all.addAll(ControllerMutants.all());
        all.add(allLoose(all));
        all.addAll(HarmlessMutants.all());
        all.addAll(OtherMutants.all());
        all.sort(Comparator.comparing(Mutant::name));
        return List.copyOf(all);
    }

    /**
     * The mutant of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mutant named(String name) {
        return all().stream()
                .filter(m -> m.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mutant is called " + name));
    }

    /** Everything at once: of two rewritings of one place, the last. */
    private static Mutant allLoose(List<Mutant> holes) {
        List<Rewriting> union = new ArrayList<>();
        Set<String> taken = new LinkedHashSet<>();
        for (Mutant hole : holes.reversed()) {
            boolean free =
                    hole.rewritings().stream()
                            .noneMatch(r -> taken.contains(r.toString() + r.only()));
            if (free) {
                hole.rewritings().forEach(r -> taken.add(r.toString() + r.only()));
                union.addAll(hole.rewritings());
            }
        }
        return new Mutant(
                "h20-all-loose",
                Mutant.Expected.CAUGHT,
                "ALL",
                "all of h01 to h19 at once, as far as they do not rewrite the same place",
                List.copyOf(union));
    }
}
