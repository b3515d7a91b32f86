package io.coil.bench.storm;

import io.coil.bench.api.CountingApi;
import io.coil.bench.api.Ground;
import io.coil.bench.api.Lines;
import io.coil.bench.api.Tasks;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Node;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** The parts of a storm; each leaves the ground as the next needs it. */
final class Round {
    /** Connections by which the server's own rate is measured. */
    static final int YARDSTICK = 8;

    /** Request and its deletion. */
    private static final int NODE_WRITES = 2;

    private final StormPlan plan;
    private final Lines lines;
    private final Lines yardstick;
    private final Answers answers;
    private final Timeline timeline;
    private final CountingApi controller;
    private final PrintStream out;
    private final List<StormNode> nodes;
    private final Map<Integer, String> requests = new ConcurrentHashMap<>();
    private final List<String> nodeNames;
    private final Selection ours;

    Round(
            StormPlan plan,
            Ground ground,
            Lines lines,
            Lines yardstick,
            Answers answers,
            Timeline timeline,
            CountingApi controller,
            PrintStream out) {
        this.plan = plan;
        this.lines = lines;
        this.yardstick = yardstick;
        this.answers = answers;
        this.timeline = timeline;
        this.controller = controller;
        this.out = out;
        this.nodeNames = ground.nodes();
        this.ours = ground.labelled();
        this.nodes =
                IntStream.range(0, nodeNames.size())
                        .mapToObj(
                                i ->
                                        new StormNode(
                                                nodeNames.get(i),
                                                ground.poolOf(i),
                                                lines,
                                                ground.label()))
                        .toList();
    }

    /**
     * Makes all requests and nothing else; returns how many a second the server took from eight
     * connections: the yardstick.
     */
    double makeRequests() throws InterruptedException {
        Map<String, String> uids = new ConcurrentHashMap<>();
        for (V1Node node : lines.call(api -> api.list(Kinds.NODES, ours)).items()) {
            uids.put(Meta.name(node.getMetadata()), Meta.uid(node.getMetadata()));
        }
        requests.clear();
        controller.reset();
        long begun = timeline.nanos();
        yardstick.each(
                IntStream.range(0, nodes.size()).boxed().toList(),
                (api, i) ->
                        requests.put(
                                i,
                                Meta.uid(
                                        api.create(
                                                        Kinds.REQUESTS,
                                                        nodes.get(i).request(uidOf(uids, i)))
                                                .metadata())));
        return nodes.size() / seconds(begun, timeline.nanos());
    }

    private String uidOf(Map<String, String> uids, int node) {
        return Objects.requireNonNull(uids.get(nodeNames.get(node)), "a node has gone");
    }

    /**
     * The controller was just started, the requests lie there: how fast it grants, from its first
     * answer to its last. Then the nodes fetch and give back.
     */
    Figure beforehand() throws InterruptedException {
        long begun = timeline.nanos();
        long[] answered = new long[nodes.size()];
        try (var _ = progress("grants", () -> answers.count(requests.values()))) {
            for (int i = 0; i < answered.length; i++) {
                answered[i] = answers.await(request(i), left(begun));
            }
        }
        Map<CountingApi.Call, Long> calls = controller.counts();
        each("fetch", node -> node.giveBack(node.fetch()));
        Arrays.sort(answered);
        long first = answered[0];
        long last = answered[answered.length - 1];
        return new Figure(
                nodes.size(),
                (nodes.size() - 1) / Math.max(1e-9, seconds(first, last)),
                seconds(begun, first),
                0,
                calls,
                0,
                0);
    }

    /** All nodes ask at once, and fetch what they get: how long until the last is done. */
    Figure whole() throws InterruptedException {
        controller.reset();
        requests.clear();
        long[] waited = new long[nodes.size()];
        Map<Integer, String> blocks = new ConcurrentHashMap<>();
        Tasks tasks = new Tasks(timeline);
        long begun = timeline.nanos();
        for (int i = 0; i < nodes.size(); i++) {
            int number = i;
            StormNode node = nodes.get(i);
            tasks.start(
                    "node " + i,
                    () -> {
                        String uid = node.ask();
                        long asked = timeline.nanos();
                        waited[number] = answers.await(uid, plan.most()) - asked;
                        blocks.put(number, node.fetch());
                    });
        }
        try (var _ = progress("fetched", blocks::size)) {
            tasks.await();
        }
        double took = seconds(begun, timeline.nanos());
        Map<CountingApi.Call, Long> calls = controller.counts();
        Tasks back = new Tasks(timeline);
        blocks.forEach((i, block) -> back.start("node " + i, () -> nodes.get(i).giveBack(block)));
        back.await();
        Arrays.sort(waited);
        return new Figure(
                nodes.size(),
                nodes.size() / took,
                0,
                NODE_WRITES,
                calls,
                millisAt(waited, 0.50),
                millisAt(waited, 0.99));
    }

    /** What a node does. */
    private interface Deed {
        void by(StormNode node) throws InterruptedException;
    }

    private void each(String what, Deed deed) throws InterruptedException {
        Tasks tasks = new Tasks(timeline);
        for (StormNode node : nodes) {
            tasks.start(what, () -> deed.by(node));
        }
        tasks.await();
    }

    private String request(int node) {
        return Objects.requireNonNull(requests.get(node), "a request was not made");
    }

    private Duration left(long begun) {
        return plan.most().minusNanos(timeline.nanos() - begun);
    }

    private Progress progress(String what, IntSupplier done) {
        return Progress.of(out, timeline, what, nodes.size(), done);
    }

    private static double seconds(long from, long to) {
        return (to - from) / 1e9;
    }

    static double millisAt(long[] sorted, double share) {
        int at = (int) Math.ceil(sorted.length * share) - 1;
        return sorted[Math.max(0, at)] / 1e6;
    }
}
