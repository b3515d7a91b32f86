package io.coil.simulation.command;

import io.coil.simulation.Options;
import io.coil.simulation.Outcome;
import io.coil.simulation.Simulation;
import io.coil.simulation.check.Violation;
import io.coil.simulation.fault.Decision;
import io.coil.simulation.shrink.Places;
import io.coil.simulation.shrink.Shrinker;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;

/** One run, told line by line; cut down before, if wanted. */
final class Replay {
    /** Runs that are spent on cutting one down: a minute or so. */
    private static final int MOST_RUNS = 600;

    private final long seed;
    private final Options options;
    private final PrintWriter out;

    Replay(long seed, Options options, PrintWriter out) {
        this.seed = seed;
        this.options = options;
        this.out = out;
    }

    /** Whether every invariant held. */
    boolean tell(@Nullable Set<Integer> kept) {
        List<Decision> decisions = Simulation.decisions(seed, options);
        Outcome outcome = Simulation.run(seed, options, kept, true);
        out.println("Decided beforehand:");
        for (int place = 0; place < decisions.size(); place++) {
            if (kept == null || kept.contains(place)) {
                out.printf("  %3d  %s%n", place, decisions.get(place));
            }
        }
        out.println();
        outcome.trace().forEach(out::println);
        Violation violation = outcome.violation();
        out.println();
        out.println(violation == null ? "Every invariant held." : "Broken: " + violation);
        out.println(command(kept));
        out.flush();
        return violation == null;
    }

    /** Cuts it down, and tells what is left; true if there was nothing to cut. */
    boolean shrink() {
        if (Simulation.run(seed, options).violation() == null) {
            out.println("Every invariant held: there is nothing to cut down.");
            out.flush();
            return true;
        }
        out.printf("%d decisions, cutting down%n", Simulation.decisions(seed, options).size());
        Set<Integer> kept =
                Shrinker.shrink(
                        seed,
                        options,
                        MOST_RUNS,
                        left -> {
                            out.printf("  %d left%n", left);
                            out.flush();
                        });
        out.println();
        return tell(kept);
    }

    private String command(@Nullable Set<Integer> kept) {
        return "./coil simulate --seed %d%s%s"
                .formatted(
                        seed,
                        options.equals(Options.STANDARD) ? "" : " " + options,
                        kept == null ? "" : " --keep " + Places.text(kept));
    }
}
