package io.coil.simulation;

import io.coil.simulation.check.Violation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a run went.
 *
 * @param violation null if every invariant held
 * @param trace its lines, if it was traced
 * @param spent virtual time
 * @param happened how often each kind of thing has happened
 */
public record Outcome(
        long seed,
        @Nullable Violation violation,
        List<String> trace,
        Duration spent,
        long steps,
        long calls,
        Map<String, Integer> happened) {}
