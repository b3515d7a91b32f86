package io.coil.sandbox.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.apiserver.fault.Effect;
import io.coil.apiserver.fault.FaultRule;
import io.coil.apiserver.fault.Scope;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.coil.sandbox.check.Invariants;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many agents and a controller against an API of which a part of the calls fails. */
@Execution(ExecutionMode.CONCURRENT) // it has an API server of its own
class AgentsUnderFaultsIT {
    private static final int NODES = 30;
    private static final int PODS_OF_A_NODE = 10;
    private static final Duration FAULTS = Duration.ofSeconds(10);

    /** From the first try of a pod to its address; runtimes try again as long. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    @DisplayName(
            "E4: 300 ADDs in 10 s over 30 nodes, 30 % of all API calls fail: each has an address within a"
                    + " minute, nothing stale at the end")
    void e4() throws Exception {
        try (Fleet fleet = new Fleet(NODES);
                var runtimes = Executors.newVirtualThreadPerTaskExecutor()) {
            fleet.pool("default", 2, "10.1.0.0/22");
            fleet.start();
            failing(fleet, "fails", Effect.internalError());
            failing(fleet, "reply lost", new Effect.LostReply());
            failing(fleet, "request lost", new Effect.LostRequest());

            List<Future<String>> all = new ArrayList<>();
            for (String node : fleet.nodes()) {
                for (int i = 0; i < PODS_OF_A_NODE; i++) {
                    String pod = node + "-" + i;
                    all.add(runtimes.submit(() -> fleet.addUntilItSucceeds(node, pod, PATIENCE)));
                }
            }
            duringFaults(fleet, all);
            assertThat(Invariants.violations(fleet.world())).isEmpty();
            assertThat(fleet.faultsInjected()).as("calls that failed").isGreaterThan(100);
            fleet.server().faults().clear();

            List<String> addresses = new ArrayList<>();
            for (Future<String> one : all) {
                addresses.add(one.get());
            }
            assertThat(addresses).hasSize(300).doesNotHaveDuplicates();
            quiet(fleet);
            assertThat(fleet.api().list(Kinds.BLOCKS, Selection.ALL).items())
                    .hasSizeBetween(75, 90);

            for (String node : fleet.nodes()) {
                for (int i = 0; i < PODS_OF_A_NODE; i++) {
                    fleet.del(node, node + "-" + i);
                }
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> fleet.api().list(Kinds.BLOCKS, Selection.ALL).items().isEmpty());
            quiet(fleet);
        }
    }

    /** Looks again and again, as long as the calls fail and pods wait. */
    private static void duringFaults(Fleet fleet, List<Future<String>> all) {
        long end = System.nanoTime() + FAULTS.toNanos();
        await().atMost(FAULTS.multipliedBy(2))
                .until(
                        () -> {
                            assertThat(Invariants.violations(fleet.world())).isEmpty();
                            return System.nanoTime() - end > 0
                                    || all.stream().allMatch(Future::isDone);
                        });
    }

    /** Each of three kinds of failure hits every tenth call: two of three let the rest through. */
    private static void failing(Fleet fleet, String id, Effect effect) {
        fleet.server()
                .faults()
                .add(
                        FaultRule.of(id, Scope.any().ofUserAgent(Fleet.PROGRAMS), effect)
                                .withProbability(0.11));
    }

    private static void quiet(Fleet fleet) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(Invariants.violationsWhenQuiet(fleet.world())).isEmpty());
    }
}
