package io.coil.bench.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.bench.api.Leader;
import io.coil.bench.api.LeaseCheck;
import io.coil.bench.api.Target;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.time.VirtualThreads;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

class StormIT {
    private static final StormPlan SMALL = new StormPlan(10, 2, 1, 4, Duration.ofSeconds(30));

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

    @Test
    void aSmallStormIsMeasuredAndLeavesNothing() throws IOException, InterruptedException {
        try (Target target = Target.open(null)) {
            boolean well = new Storm(SMALL, target, out).run();

            assertThat(well).as(said.toString(StandardCharsets.UTF_8)).isTrue();
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .contains("whole round", "grants per second", "Swept: nothing is left.")
                    .containsPattern("controller writes a grant +3\\.00 .*reached");
            assertNothingIsThere(target.client("tester"));
        }
    }

    @Test
    void anInterruptedStormLeavesNothingEither() throws IOException, InterruptedException {
        try (Target target = Target.open(null)) {
            KubeApi api = target.client("tester");
            StormPlan endless = new StormPlan(50, 1, 100, 4, Duration.ofSeconds(30));
            Thread storm =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            new Storm(endless, target, out).run();
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            while (api.list(Kinds.BLOCKS, Selection.ALL).items().isEmpty()) {
                assertThat(storm.isAlive()).isTrue();
            }

            storm.interrupt();

            assertThat(storm.join(Duration.ofSeconds(20))).isTrue();
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .contains("Interrupted.", "Swept: nothing is left.");
            assertNothingIsThere(api);
        }
    }

    @Test
    void aClusterWhereAnotherControllerLeadsIsLeftAlone() throws IOException, InterruptedException {
        try (Target target = Target.open(null)) {
            KubeApi api = target.client("tester");
            VirtualThreads timeline = new VirtualThreads();
            try (Leader other = Leader.start(api, timeline)) {
                other.awaitGranting(timeline, Duration.ofSeconds(20));

                assertThat(new Storm(SMALL, target, out).run()).isFalse();

                assertThat(said.toString(StandardCharsets.UTF_8)).contains("leads in that cluster");
                assertThat(api.list(Kinds.NODES, Selection.ALL).items()).isEmpty();
            }
        }
    }

    private static void assertNothingIsThere(KubeApi api) {
        assertThat(api.list(Kinds.NODES, Selection.ALL).items()).isEmpty();
        assertThat(api.list(Kinds.POOLS, Selection.ALL).items()).isEmpty();
        assertThat(api.list(Kinds.BLOCKS, Selection.ALL).items()).isEmpty();
        assertThat(api.list(Kinds.REQUESTS, Selection.ALL).items()).isEmpty();
        assertThat(api.list(Kinds.LEASES, Selection.ALL).items()).isEmpty();
        assertThat(LeaseCheck.before(api).holder()).isEmpty();
    }
}
