package io.coil.bench.storm;

import io.coil.bench.api.CountingApi.Call;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What one part of a storm came to.
 *
 * @param grants how many blocks were granted
 * @param perSecond grants per second
 * @param begun seconds from the start of the controller to its first answer; 0 if it ran before
 * @param nodeWrites writes of the nodes per grant
 * @param calls what the controller called meanwhile; empty if it is not ours
 * @param p50Millis from a node's request to its answer
 * @param p99Millis the same
 */
record Figure(
        int grants,
        double perSecond,
        double begun,
        int nodeWrites,
        Map<Call, Long> calls,
        double p50Millis,
        double p99Millis) {

    /** By the controller, pool status and lease aside. */
    double controllerWrites() {
        long writes =
                calls.entrySet().stream()
                        .filter(e -> e.getKey().write() && forGrants(e.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        return (double) writes / grants;
    }

    private static boolean forGrants(Call call) {
        return !call.resource().equals("addresspools/status") && !call.resource().equals("leases");
    }

    double writes() {
        return controllerWrites() + nodeWrites;
    }

    /** The middle one by rate. */
    static Figure median(List<Figure> figures) {
        return figures.stream()
                .sorted(Comparator.comparingDouble(Figure::perSecond))
                .toList()
                .get(figures.size() / 2);
    }
}
