package io.coil.simulation.shrink;

import io.coil.simulation.Options;
import io.coil.simulation.Simulation;
import io.coil.simulation.check.Violation;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cuts a failing run down: leaves decisions out, in large parts and then one by one, as long as the
 * same invariant is still broken. What is left is what it takes.
 */
public final class Shrinker {
    private final Predicate<Set<Integer>> broken;
    private final int most;
    private final IntConsumer progress;
    private int runs;

    /**
     * One that spends so many runs at most.
     *
     * @param broken whether the run that keeps these decisions still breaks what it broke
     * @param progress told how many decisions are left, whenever they become fewer
     */
    Shrinker(Predicate<Set<Integer>> broken, int most, IntConsumer progress) {
        this.broken = broken;
        this.most = most;
        this.progress = progress;
    }

    /**
     * The decisions that are enough for a run to break what it breaks, by their places; all, if it
     * breaks nothing.
     */
    public static Set<Integer> shrink(long seed, Options options, int most, IntConsumer progress) {
        int size = Simulation.decisions(seed, options).size();
        Violation violation = Simulation.run(seed, options).violation();
        if (violation == null) {
            return all(size);
        }
        Predicate<Set<Integer>> broken =
                kept -> {
                    Violation found = Simulation.run(seed, options, kept, false).violation();
                    return found != null && found.invariant() == violation.invariant();
                };
        return new Shrinker(broken, most, progress).smallest(size);
    }

    private static Set<Integer> all(int size) {
        return IntStream.range(0, size).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    /** Of the places from 0 up to {@code size}. */
    Set<Integer> smallest(int size) {
        return new TreeSet<>(smallest(List.copyOf(all(size))));
    }

    private List<Integer> smallest(List<Integer> all) {
        List<Integer> kept = all;
        int part = Math.max(1, kept.size() / 2);
        while (runs < most) {
            List<Integer> smaller = withoutOnePart(kept, part);
            if (smaller != null) {
                kept = smaller;
                part = Math.max(1, Math.min(part, kept.size() / 2));
                progress.accept(kept.size());
            } else if (part == 1) {
                break;
            } else {
                part = part / 2;
            }
        }
        return kept;
    }

    /** The last decisions first: what comes after the violation is not needed. */
    private @Nullable List<Integer> withoutOnePart(List<Integer> kept, int part) {
        for (int end = kept.size(); end > 0 && runs < most; end -= part) {
            int begin = Math.max(0, end - part);
            List<Integer> rest = new ArrayList<>(kept.subList(0, begin));
            rest.addAll(kept.subList(end, kept.size()));
            if (stillBroken(rest)) {
                return rest;
            }
        }
        return null;
    }

    private boolean stillBroken(List<Integer> kept) {
        runs++;
        return broken.test(new TreeSet<>(kept));
    }
}
