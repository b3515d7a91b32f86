package io.coil.bench.orphans;

import io.coil.bench.api.CountingApi;
import io.coil.bench.api.Frame;
import io.coil.bench.api.Ground;
import io.coil.bench.api.Leader;
import io.coil.bench.api.Lines;
import io.coil.bench.api.Target;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Names;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.time.VirtualThreads;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes orphan blocks, lets a controller find and delete them, and sweeps. */
final class OrphanRun {
    private static final int LINES = 8;

    /** Coil 2.15 deleted 1,000 in 78 s, where a server took 905 creates a second. */
    private static final double COIL = 1000.0 / 78 / 905;

    private static final double TIMES = 4;

    /** A stranger's cluster keeps the grace of production: this controller collects there too. */
    private static final Map<String, String> SHORT_GRACE =
            Map.of("coil.controller.node-grace", "2s");

    private final OrphansPlan plan;
    private final Target target;
    private final PrintStream out;
    private final Timeline timeline = new VirtualThreads();

    OrphanRun(OrphansPlan plan, Target target, PrintStream out) {
        this.plan = plan;
        this.target = target;
        this.out = out;
    }

    /** True: measured, and nothing is left. */
    boolean run() throws InterruptedException {
        Lines lines = new Lines(target, "bench-yardstick", LINES);
        Ground ground = new Ground(lines, 0, 1);
        return new Frame(target, out)
                .run(
                        "%d orphan blocks, %d of each missing node"
                                .formatted(plan.blocks(), plan.perNode()),
                        ground,
                        () -> measure(ground, lines));
    }

    private void measure(Ground ground, Lines lines) throws InterruptedException {
        List<Deleted> rounds = new ArrayList<>();
        for (int i = 0; i <= plan.rounds(); i++) {
            Deleted deleted = round(ground, lines);
            out.printf("  %s: %.1f blocks/s%n", i == 0 ? "warm-up" : "round " + i, deleted.rate());
            if (i > 0) {
                rounds.add(deleted);
            }
        }
        rounds.sort(Comparator.comparingDouble(Deleted::rate));
        report(rounds.get(rounds.size() / 2));
    }

    /** What a round came to: blocks deleted and blocks created per second, and calls. */
    private record Deleted(double rate, double creates, Map<CountingApi.Call, Long> calls) {}

    private Deleted round(Ground ground, Lines lines) throws InterruptedException {
        long begun = timeline.nanos();
        lines.each(
                IntStream.range(0, plan.blocks()).boxed().toList(),
                (api, i) -> api.create(Kinds.BLOCKS, block(ground, i)));
        double creates = plan.blocks() / ((timeline.nanos() - begun) / 1e9);
        CountingApi counting = new CountingApi(target.client("bench-controller"));
        Map<String, String> settings = target.inProcess() ? SHORT_GRACE : Map.of();
        try (Deletions deletions =
                        new Deletions(
                                        target.client("bench-watch"),
                                        timeline,
                                        Selection.labelled(Names.POOL, ground.poolOf(0)),
                                        plan.blocks())
                                .start();
                Leader leader = Leader.start(counting, timeline, settings)) {
            leader.awaitGranting(timeline, Duration.ofMinutes(1));
            out.println("  the controller leads; waiting for the grace");
            return new Deleted(deletions.await(plan.most(), out), creates, counting.counts());
        }
    }

    private void report(Deleted deleted) {
        out.printf(
                "%nThe server's own creates: %.0f/s from %d connections%n",
                deleted.creates(), LINES);
        out.printf("Blocks deleted: %.1f/s%n", deleted.rate());
        out.printf(
                "  %-27s %8.2f (goal: at least %.0f)%n",
                "times Coil's, by creates", deleted.rate() / (COIL * deleted.creates()), TIMES);
        out.printf("Calls per block:%n");
        double sum = 0;
        for (Map.Entry<CountingApi.Call, Long> entry : deleted.calls().entrySet()) {
            if (List.of("addressblocks", "nodes").contains(entry.getKey().resource())
                    && !List.of("list", "watch").contains(entry.getKey().verb())) {
                double perBlock = (double) entry.getValue() / plan.blocks();
                sum += perBlock;
                out.printf("  %-27s %8.2f%n", entry.getKey(), perBlock);
            }
        }
        out.printf("  %-27s %8.2f (goal: at most 4)%n", "all", sum);
    }

    private AddressBlock block(Ground ground, int index) {
        String pool = ground.poolOf(0);
        return new AddressBlock(
                Names.COIL_API,
                Kinds.BLOCKS.kind(),
                new V1ObjectMeta()
                        .name(pool + "-" + index)
                        .labels(
                                Map.of(
                                        Names.POOL,
                                        pool,
                                        Names.NODE,
                                        ground.run() + "-gone" + index / plan.perNode()))
                        .finalizers(List.of(Names.FINALIZER)),
                index,
                ground.blockRange(index).toString(),
                null);
    }
}
