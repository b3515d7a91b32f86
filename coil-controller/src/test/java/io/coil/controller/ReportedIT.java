package io.coil.controller;

import static io.coil.controller.Cluster.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Selection;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What only a person may decide is told without being asked: events and a metric. */
class ReportedIT {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Cluster cluster;
    private Controller controller;

    @BeforeEach
    void start() {
        cluster = new Cluster();
        cluster.pool("default", 1, "10.1.0.0/24");
        controller =
                new Controller(
                        cluster.client("c1"),
                        cluster.timeline,
                        Cluster.settings(
                                "c1",
                                "controller.collection-interval",
                                "1s",
                                "controller.silent-after",
                                "1s",
                                "controller.node-grace",
                                "500ms"),
                        meters);
    }

    @AfterEach
    void stop() throws InterruptedException {
        controller.stop();
        cluster.close();
    }

    @Test
    void eachFindingIsAnEventWithItsEvidenceAndWhatCanBeDoneAndANumber() {
        cluster.pool("other", 0, "10.1.0.0/30");
        cluster.node("n1");
        cluster.node("n2");
        cluster.node("dead");
        cluster.ready("dead", false);
        cluster.block("default", 0, "n1", "10.1.0.0/31");
        cluster.block("other", 1, "n2", "10.1.0.1/32");
        cluster.block("default", 7, null, "10.1.0.14/31");
        cluster.block("default", 3, "n1", "10.9.0.0/31");
        cluster.block("default", 5, "dead", "10.1.0.10/31");
        cluster.block("default", 6, "dead", "10.1.0.12/31");
        Reports.write(cluster, "n1", Map.of());

        controller.start();

        eventually(
                () ->
                        said("BlockOverlaps", "other-1")
                                .contains("are also those of the block default-0: see which"));
        eventually(() -> !said("BlockOverlaps", "default-0").isEmpty());
        eventually(
                () ->
                        said("BlockOutOfPool", "default-3")
                                .contains("pool default has 10.1.0.6/31 at index 3: delete the"));
        eventually(
                () ->
                        said("BlockWithoutNode", "default-7")
                                .contains("the block has no node label: label the block"));
        eventually(
                () ->
                        said("DeadNodeBlocks", "dead")
                                .contains("holds default-5, default-6: bring the node back"));
        eventually(
                () ->
                        said("AgentSilent", "n1")
                                .contains("its agent has no Ready pod: look at the agent's pod"));
        assertThat(number("overlap")).isEqualTo(2);
        assertThat(number("out-of-pool")).isEqualTo(1);
        assertThat(number("orphan-block")).isEqualTo(1);
        assertThat(number("dead-node-block")).isEqualTo(2);
        assertThat(number("silent-agent")).isEqualTo(1);
        assertThat(cluster.blocks()).hasSize(6);

        // said once, not each time that it is found again
        await().pollDelay(Duration.ofMillis(2500)).until(() -> true);
        assertThat(events("DeadNodeBlocks"))
                .singleElement()
                .satisfies(e -> assertThat(e.getCount()).isEqualTo(1));
    }

    @Test
    void aFindingThatIsOverIsCountedNoMoreAndALeaderThatStopsSaysNothing() throws Exception {
        cluster.node("dead");
        cluster.ready("dead", false);
        cluster.block("default", 5, "dead", "10.1.0.10/31");
        controller.start();
        eventually(() -> number("dead-node-block") == 1);

        cluster.ready("dead", true);

        eventually(() -> number("dead-node-block") == 0);
        controller.stop();
        assertThat(meters.find("coil.controller.findings").gauges()).isEmpty();
    }

    private double number(String rule) {
        Gauge gauge = meters.find("coil.controller.findings").tag("rule", rule).gauge();
        return gauge == null ? -1 : gauge.value();
    }

    private String said(String reason, String about) {
        return events(reason).stream()
                .filter(e -> about.equals(e.getInvolvedObject().getName()))
                .map(e -> String.valueOf(e.getMessage()))
                .findFirst()
                .orElse("");
    }

    private List<CoreV1Event> events(String reason) {
        return cluster.api.list(Kinds.EVENTS, Selection.ALL).items().stream()
                .filter(e -> reason.equals(e.getReason()))
                .toList();
    }
}
