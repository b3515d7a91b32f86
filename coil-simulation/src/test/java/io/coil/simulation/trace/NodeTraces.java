package io.coil.simulation.trace;

import static io.coil.simulation.trace.Stage.call;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.fault.Act;

import java.time.Duration;

/** Nodes that go and come, and the controller that collects what they had. */
final class NodeTraces {
    private static final String CONTROLLER = "controller-a";

    /** Longer than the grace of an orphan. */
    private static final int GRACE = 75;

    private NodeTraces() {}

    /** A Node is deleted by mistake, and is back under another UID. */
    static void orphanByUid(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        stage.does(Act.LOSE_NODE, "n1", 3_000);
        stage.pass(10);
        stage.does(Act.TOUCH_BLOCK, "", 0);
        stage.pass(GRACE);
        stage.does(Act.COLLECT, "", 2);
        stage.pass(GRACE);
    }

    /** A new machine comes and starts a pod between the controller's look and its DELETE. */
    static void orphanRace(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        stage.does(Act.MACHINE_DIES, "n1", 0);
        Stage.Rule delete = stage.hold(CONTROLLER, call(Verb.DELETE, Kinds.BLOCKS));
        stage.until(delete::holds, Duration.ofSeconds(200));
        stage.does(Act.LAG, CONTROLLER, 30_000);
        stage.does(Act.NODE, "n1", 0);
        stage.podRuns("pod-2", 1);
        delete.release();
        stage.pass(20);
    }

    /** The same, slowly: and the Node is gone again, by mistake, when the controller looks. */
    static void slowCollector(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        stage.does(Act.MACHINE_DIES, "n1", 0);
        Stage.Rule delete = stage.hold(CONTROLLER, call(Verb.DELETE, Kinds.BLOCKS));
        stage.until(delete::holds, Duration.ofSeconds(200));
        stage.does(Act.NODE, "n1", 0);
        stage.podRuns("pod-2", 1);
        stage.pass(10);
        stage.does(Act.LOSE_NODE, "n1", 15_000);
        delete.release();
        stage.pass(20);
    }
}
