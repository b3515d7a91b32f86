package io.coil.simulation.trace;

import static io.coil.simulation.trace.Stage.call;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Kind;

import java.time.Duration;

/** How an agent learns of blocks, and how it gives them back. */
final class BlockTraces {
    private static final String AGENT = "n1-agent";

    private BlockTraces() {}

    /** A block was given back, and the watch still shows it while pods come. */
    static void adoptWatch(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        stage.pass(3);
        stage.does(Act.LAG, AGENT, 90_000);
        stage.podGone("pod-1");
        stage.until(() -> !stage.block("default-0"));
        for (int pod = 2; pod <= 12; pod++) {
            stage.pod("pod-" + pod, 1);
            stage.pass(4);
        }
    }

    /** A block was given back, another node has it now, and the agent starts anew. */
    static void startCached(Stage stage) {
        stage.begin(0);
        stage.podRuns("pod-1", 1);
        stage.pass(3);
        stage.does(Act.LAG, AGENT, 90_000); // what it saw last is the block as it was used
        stage.podGone("pod-1");
        stage.until(() -> !stage.block("default-0"));
        stage.podRuns("pod-2", 2);
        stage.does(Act.KILL, AGENT, 1_000);
        stage.pod("pod-3", 1);
        stage.pass(20);
    }

    /** A block is used, and the watch does not show it for long. */
    static void goneCached(Stage stage) {
        stage.begin(0);
        stage.does(Act.LAG, AGENT, 120_000);
        stage.podRuns("pod-1", 1);
        stage.pass(90);
    }

    /**
     * A finalizer's end is under way when the agent dies; it comes when the block is used again.
     */
    static void beingDeleted(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        Stage.Rule finalizer =
                stage.mishap(
                        AGENT,
                        call(Verb.PATCH, Kinds.BLOCKS),
                        1,
                        Kind.LATE,
                        Duration.ofSeconds(10));
        stage.podGone("pod-1");
        stage.until(() -> finalizer.struck() > 0);
        stage.does(Act.KILL, AGENT, 500);
        stage.pod("pod-2", 1);
        stage.pass(30);
    }

    /** The same, and it comes when another block has that name; then the pool is deleted. */
    static void finalizerName(Stage stage) {
        stage.begin(0);
        stage.podRuns("pod-1", 1);
        Stage.Rule finalizer =
                stage.mishap(
                        AGENT,
                        call(Verb.PATCH, Kinds.BLOCKS),
                        1,
                        Kind.LATE,
                        Duration.ofSeconds(20));
        stage.podGone("pod-1");
        stage.until(() -> finalizer.struck() > 0);
        stage.until(() -> !stage.block("default-0"));
        stage.podRuns("pod-2", 1);
        stage.pass(30);
        stage.does(Act.DELETE_POOL, "default", 1);
        stage.pass(10);
    }

    /** A second agent starts while the first is about to give a block back. */
    static void twoAgents(Stage stage) {
        stage.begin(1);
        stage.podRuns("pod-1", 1);
        Stage.Rule delete = stage.hold(AGENT, call(Verb.DELETE, Kinds.BLOCKS));
        stage.podGone("pod-1");
        stage.until(delete::holds);
        stage.does(Act.SECOND_PROCESS, "n1", 0);
        stage.pass(3);
        stage.podRuns("pod-2", 1);
        delete.release();
        stage.pass(20);
    }

    /** The answer of a DELETE is lost. */
    static void returnRetry(Stage stage) {
        stage.begin(0);
        stage.podRuns("pod-1", 1);
        stage.mishap(AGENT, call(Verb.DELETE, Kinds.BLOCKS), 1, Kind.REPLY_LOST, Duration.ZERO);
        stage.podGone("pod-1");
        stage.pass(20);
    }
}
