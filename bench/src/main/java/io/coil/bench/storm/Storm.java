package io.coil.bench.storm;

import io.coil.bench.api.CountingApi;
import io.coil.bench.api.Frame;
import io.coil.bench.api.Ground;
import io.coil.bench.api.Leader;
import io.coil.bench.api.Lines;
import io.coil.bench.api.Target;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A whole benchmark: ground, rounds, report, sweep. */
final class Storm {
    private final StormPlan plan;
    private final Target target;
    private final PrintStream out;
    private final Timeline timeline = new VirtualThreads();

    Storm(StormPlan plan, Target target, PrintStream out) {
        this.plan = plan;
        this.target = target;
        this.out = out;
    }

    /** True: measured, and nothing is left. */
    boolean run() throws InterruptedException {
        Lines lines = new Lines(target, "bench-nodes", plan.connections());
        Ground ground = new Ground(lines, plan.nodes(), plan.pools());
        return new Frame(target, out)
                .run(
                        "%d nodes, %d pools, %d connections"
                                .formatted(plan.nodes(), plan.pools(), plan.connections()),
                        ground,
                        () -> {
                            ground.makeNodes();
                            measure(ground, lines);
                        });
    }

    private void measure(Ground ground, Lines lines) throws InterruptedException {
        CountingApi counting = new CountingApi(target.client("bench-controller"));
        try (Answers answers =
                new Answers(target.client("bench-watch"), timeline, ground.labelled()).start()) {
            Round round =
                    new Round(
                            plan,
                            ground,
                            lines,
                            new Lines(target, "bench-yardstick", Round.YARDSTICK),
                            answers,
                            timeline,
                            counting,
                            out);
            rounds(round, counting);
        }
    }

    private void rounds(Round round, CountingApi counting) throws InterruptedException {
        List<Double> creates = new ArrayList<>();
        List<Figure> beforehand = new ArrayList<>();
        List<Figure> whole = new ArrayList<>();
        for (int i = 0; i <= plan.rounds(); i++) {
            double rate = round.makeRequests();
            try (var _ = Leader.start(counting, timeline)) {
                Figure granted = round.beforehand();
                say(i, "made beforehand", granted);
                Figure asked = round.whole();
                say(i, "whole round", asked);
                if (i > 0) {
                    creates.add(rate);
                    beforehand.add(granted);
                    whole.add(asked);
                }
            }
        }
        Report report = new Report(out, creates);
        Figure first = Figure.median(beforehand);
        report.beforehand(first);
        report.whole(Figure.median(whole));
        report.calls(first);
        report.heap();
    }

    private void say(int round, String what, Figure figure) {
        out.printf(
                "  %s: %-15s %7.1f grants/s%n",
                round == 0 ? "warm-up" : "round " + round, what, figure.perSecond());
    }
}
