package io.coil.simulation.mutant;

import io.coil.simulation.fault.Plan;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Which aim of the plans leads to what a mutant does otherwise. */
final class Leads {
    private static final Map<String, String> AIMS =
            Map.ofEntries(
                    Map.entry("h02-orphan-race", "orphan-race"),
                    Map.entry("h03-adopt-watch", "watch-behind"),
                    Map.entry("h06-being-deleted", "finalizer-of-the-dead"),
                    Map.entry("h07-finalizer-name", "finalizer-late"),
                    Map.entry("h08-pool-gone", "pool-gone"),
                    Map.entry("h09-pool-cached", "guard-behind"),
                    Map.entry("h09b-pool-by-name", "pool-finalizer-late"),
                    Map.entry("h10-return-retry", "return-unheard"),
                    Map.entry("h12-failed-stays", "failed-unseen"),
                    Map.entry("h13-full-by-itself", "leader-dies-after-create"),
                    Map.entry("h13b-chosen-anew", "leader-dies-after-create"),
                    Map.entry("h14-index-taken", "index-taken"),
                    Map.entry("h17-two-agents", "two-agents"),
                    Map.entry("h18-check-fails", "fetched-too-late"),
                    Map.entry("n2-withdraw", "intent-late"),
                    Map.entry("n5-old-failed", "failed-unseen"),
                    Map.entry("n7-index-again", "index-taken"),
                    Map.entry("x01-last-writer-wins", "intent-late"),
                    Map.entry("x03-no-live-read", "watch-behind"),
                    Map.entry("x04-adopted-unseen", "pool-gone"));

    private Leads() {}

    /** The name of the aim; empty if none is for that mutant. */
    static String aim(String mutant) {
        return AIMS.getOrDefault(mutant, "");
    }

    static List<String> mutants() {
        return List.copyOf(AIMS.keySet());
    }

    /** So many seeds with the aim that leads to it, the smallest from {@code from} on. */
    static LongStream seeds(String mutant, long from, int count) {
        String aim = aim(mutant);
        if (aim.isEmpty()) {
            return LongStream.empty();
        }
        long first = Plan.firstSeedWithAim(aim);
        long begin = first + Math.ceilDiv(Math.max(0, from - first), Plan.cycle()) * Plan.cycle();
        return LongStream.range(0, count).map(i -> begin + i * Plan.cycle());
    }
}
