package io.coil.simulation;

import io.coil.simulation.fault.Decision;
import io.coil.simulation.fault.Plan;
import io.coil.simulation.world.End;
import io.coil.simulation.world.Timing;
import io.coil.simulation.world.World;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** One run: a function of its seed, its options, and the decisions that are kept. */
public final class Simulation {
    private Simulation() {}

    public static Outcome run(long seed, Options options) {
        return run(seed, options, null, false);
    }

    /**
     * The same.
     *
     * @param kept places in {@link #decisions}; null: all
     */
    public static Outcome run(
            long seed, Options options, @Nullable Set<Integer> kept, boolean traced) {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
                Thread.ofVirtual()
                        .name("simulation " + seed)
                        .start(
                                () -> {
                                    try {
                                        outcome.set(here(seed, options, kept, traced));
                                    } catch (RuntimeException | Error e) {
                                        failure.set(e);
                                    }
                                });
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in run " + seed, e);
        }
        if (failure.get() != null) {
            throw new IllegalStateException(
                    "the simulation itself failed at seed " + seed, failure.get());
        }
        return Objects.requireNonNull(outcome.get());
    }

    /** What is decided beforehand. */
    public static List<Decision> decisions(long seed, Options options) {
        return Plan.of(
                seed,
                options.nodes(),
                options.pods(),
                options.steps(),
                options.faults(),
                timing(seed).nodeGrace());
    }

    /** The spans of an aim are measured on the usual timing. */
    private static Timing timing(long seed) {
        return Plan.hasAim(seed) ? Timing.USUAL : Timing.of(seed);
    }

    private static Outcome here(
            long seed, Options options, @Nullable Set<Integer> kept, boolean traced) {
        World world = new World(seed, timing(seed), traced);
        try {
            List<Decision> decisions = decisions(seed, options);
            for (int i = 0; i < decisions.size(); i++) {
                if (kept == null || kept.contains(i)) {
                    world.arrange(decisions.get(i));
                }
            }
            world.runUntil(Duration.ofNanos(Plan.length(options.steps())));
            new End(world).come();
            return new Outcome(
                    seed,
                    world.ground().findings().first(),
                    world.ground().trace().lines(),
                    Duration.ofNanos(world.ground().scheduler().nanos()),
                    world.ground().scheduler().steps(),
                    world.ground().server().calls(),
                    world.ground().luck().struck());
        } finally {
            world.close();
        }
    }
}
