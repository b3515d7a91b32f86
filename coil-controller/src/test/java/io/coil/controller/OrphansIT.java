package io.coil.controller;

import static io.coil.controller.Cluster.eventually;
import static io.coil.controller.Cluster.within;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.Names;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Thousands of orphan blocks, by themselves and on demand. */
class OrphansIT {
    private static final int MANY = 5_000;
    private static final int NODES = 700;

    private Cluster cluster;
    private int plans;

    @BeforeEach
    void start() {
        cluster = new Cluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @DisplayName(
            "B10: 5,000 orphans, of which 2 always fail: 4,998 go, 2 are reported, and tried again")
    void b10AnErrorAmongThousandsStopsOnlyItsBlock() {
        cluster.pool("big", Map.of(Names.COLLECTION, "manual"), 0, "10.8.0.0/19");
        orphans(MANY);
        FaultRule conflict = refuse("big-17", Effect.conflict());
        FaultRule error = refuse("big-4711", Effect.internalError());
        Watched calls = new Watched(cluster.client("c1"));
        Controller controller = cluster.controller("c1", calls.api());
        eventually(controller::isGranting);
        eventually(() -> planned() == MANY);
        calls.reset();

        cluster.run("first", named(false));
        within(Duration.ofSeconds(60), () -> run("first").finished());

        assertThat(cluster.blockNames()).containsExactly("big-17", "big-4711");
        assertThat(status("first").done()).isEqualTo(MANY - 2);
        assertThat(status("first").failed()).isEqualTo(2);
        assertThat(calls.mostAtOnce()).isBetween(2, 16);
        assertThat(calls.calls()).isLessThanOrEqualTo(4L * MANY);
        cluster.run("second", named(false));
        assertThat(status("second").items())
                .extracting(i -> i.name() + " " + i.outcome())
                .containsExactly("big-17 Failed", "big-4711 Failed");
        assertThat(controller.isGranting()).isTrue();

        cluster.server.faults().remove(conflict.id());
        cluster.server.faults().remove(error.id());
        cluster.run("third", named(false));

        assertThat(status("third").done()).isEqualTo(2);
        assertThat(cluster.blocks()).isEmpty();
    }

    private static GarbageCollection.Spec named(boolean dryRun) {
        return new GarbageCollection.Spec(null, List.of("big"), null, dryRun, null, "a test");
    }

    /** What a dry run would collect. */
    private long planned() {
        String name = "plan-" + plans++;
        cluster.run(name, named(true));
        GarbageCollection.Status status = status(name);
        return status.found() - status.kept();
    }

    private GarbageCollection run(String name) {
        return cluster.api.get(Kinds.COLLECTIONS, null, name).orElseThrow();
    }

    private GarbageCollection.Status status(String name) {
        return Objects.requireNonNull(cluster.finished(name).status());
    }

    private void orphans(int count) {
        IntStream.range(0, count)
                .parallel()
                .forEach(
                        i ->
                                cluster.block(
                                        "big",
                                        i,
                                        "gone" + i % NODES,
                                        "10.8.%d.%d/32".formatted(i / 256, i % 256)));
    }

    private FaultRule refuse(String block, Effect effect) {
        return cluster.server
                .faults()
                .add(
                        Scope.any()
                                .ofUserAgent("c1")
                                .onVerbs("delete")
                                .onResource("addressblocks")
                                .named(block),
                        effect);
    }
}
