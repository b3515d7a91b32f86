package io.coil.bench.storm;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Tells what was measured beside what it should be. Rates are judged by the server's own: Coil 2.15
 * granted 22.5 blocks a second where a server took 905 creates a second from 8 connections.
 */
final class Report {
    private static final double COIL = 22.5 / 905;
    private static final double SHARE = 0.70;
    private static final double MOST_WRITES = 3;
    private static final double BEFOREHAND = 8;
    private static final double WHOLE = 4;

    private final PrintStream out;
    private final double creates;

    Report(PrintStream out, List<Double> creates) {
        this.out = out;
        this.creates = creates.stream().sorted().toList().get(creates.size() / 2);
        out.printf("%nThe server's own creates: %.0f/s from 8 connections%n", this.creates);
    }

    void beforehand(Figure figure) {
        out.printf("Requests made beforehand, then the controller starts:%n");
        out.printf("  first answer after          %8.2f s%n", figure.begun());
        rate(figure, BEFOREHAND);
    }

    void whole(Figure figure) {
        out.printf("The whole round, all nodes at once:%n");
        rate(figure, WHOLE);
        out.printf(
                "  request to answer           %8.0f ms at p50, %.0f ms at p99%n",
                figure.p50Millis(), figure.p99Millis());
    }

    private void rate(Figure figure, double times) {
        line("grants per second", figure.perSecond(), times * COIL * creates, true, "");
        line("times Coil's, by creates", figure.perSecond() / (COIL * creates), times, true, "");
        line("controller writes a grant", figure.controllerWrites(), MOST_WRITES, false, "");
        line(
                "writes/s of the server's",
                100 * figure.perSecond() * figure.writes() / creates,
                100 * SHARE,
                true,
                " %");
    }

    private void line(String what, double value, double goal, boolean least, String unit) {
        boolean reached = least ? value >= goal : value <= goal + 0.005;
        out.printf(
                "  %-27s %8.2f%s (goal: at %s %.2f%s, %s)%n",
                what,
                value,
                unit,
                least ? "least" : "most",
                goal,
                unit,
                reached ? "reached" : "missed");
    }

    /** Everything that the controller called, per grant. */
    void calls(Figure figure) {
        out.printf("The controller's calls per grant, requests made beforehand:%n");
        figure.calls()
                .forEach(
                        (call, count) ->
                                out.printf(
                                        "  %-27s %8.2f%n", call, (double) count / figure.grants()));
    }

    void heap() {
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        out.printf("Heap of this process after collection: %d MiB%n", used >> 20);
    }
}
