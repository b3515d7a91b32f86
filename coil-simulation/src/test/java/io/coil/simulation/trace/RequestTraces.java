package io.coil.simulation.trace;

import static io.coil.simulation.trace.Stage.call;

import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Kind;

import java.time.Duration;

/** Requests: asked, granted, answered twice, and forgotten. */
final class RequestTraces {
    private static final String AGENT = "n1-agent";
    private static final String CONTROLLER = "controller-a";
    private static final int ROUNDS = 4;

    private RequestTraces() {}

    /** An agent dies when it has asked, and its pool is full. */
    static void failedStays(Stage stage) {
        stage.begin(0);
        stage.does(Act.POOL, "other", 2);
        for (int pod = 1; pod <= 5; pod++) {
            stage.podRuns("other-" + pod, 2);
        }
        forgotten(stage, "other-6");
    }

    /** An agent dies when it has asked, and its pod does not come again. */
    static void completeStays(Stage stage) {
        stage.begin(0);
        forgotten(stage, "pod-1");
    }

    private static void forgotten(Stage stage, String pod) {
        Stage.Rule create =
                stage.mishap(
                        AGENT,
                        call(Verb.CREATE, Kinds.REQUESTS),
                        1,
                        Kind.DEATH_AFTER,
                        Duration.ZERO);
        stage.pod(pod, 1);
        stage.until(() -> create.struck() > 0);
        stage.does(Act.DELETE_POD, pod, 0);
        stage.pass(30);
    }

    /** A leader dies when it has made the block that makes the pool full. */
    static void fullByItself(Stage stage) {
        stage.begin(4);
        diesAfterCreate(stage);
    }

    /** A leader dies when it has made a block, and others are free. */
    static void chosenAnew(Stage stage) {
        stage.begin(2);
        diesAfterCreate(stage);
    }

    private static void diesAfterCreate(Stage stage) {
        stage.mishap(
                CONTROLLER, call(Verb.CREATE, Kinds.BLOCKS), 1, Kind.DEATH_AFTER, Duration.ZERO);
        // The agent does not end the request when it has the block.
        stage.hold(AGENT, call(Verb.DELETE, Kinds.REQUESTS));
        stage.podRuns("pod-1", 1);
        stage.pass(60);
    }

    /** A leader's block comes when somebody else has given its index to another node. */
    static void indexTaken(Stage stage) {
        stage.begin(0);
        Stage.Rule create =
                stage.mishap(
                        CONTROLLER,
                        call(Verb.CREATE, Kinds.BLOCKS),
                        1,
                        Kind.LATE,
                        Duration.ofMinutes(2));
        stage.pod("pod-1", 1);
        stage.until(() -> create.struck() > 0);
        stage.does(Act.KILL, CONTROLLER, 400_000);
        // Our own next leader knows what was intended; Coil's own controller does not.
        stage.pod("pod-2", 2);
        stage.pass(3);
        stage.does(Act.FOREIGN_BLOCK, "default", 2);
        stage.until(() -> stage.runs("pod-2"));
        stage.does(Act.CONTROLLER, "controller-b", 0);
        stage.podRuns("pod-1", 1);
        stage.podGone("pod-2");
        stage.pass(120);
    }

    /** Each block comes when the call that asked for it has timed out. */
    static void noLinger(Stage stage) {
        stage.begin(0);
        stage.pod("pod-1", 1);
        for (int round = 0; round < ROUNDS && !stage.runs("pod-1"); round++) {
            Stage.Rule create = stage.hold(CONTROLLER, call(Verb.CREATE, Kinds.BLOCKS));
            stage.until(() -> create.holds() || stage.runs("pod-1"));
            if (create.holds()) {
                stage.pass(Duration.ofMillis(10_100));
            }
            create.end();
            create.release();
        }
        stage.until(() -> stage.runs("pod-1"), Duration.ofSeconds(20));
        stage.judge(
                stage.runs("pod-1") && stage.facts().granted() < ROUNDS,
                5,
                "asked, granted, returned, asked: %d times".formatted(stage.facts().granted()));
    }

    /** A Node is back under another UID, and grants are slow. */
    static void nodeUid(Stage stage) {
        stage.begin(0);
        stage.does(Act.LOSE_NODE, "n1", 3_000);
        stage.pass(10);
        stage.mishap(
                CONTROLLER,
                call(Verb.STATUS, Kinds.REQUESTS),
                Integer.MAX_VALUE,
                Kind.SLOW,
                Duration.ofSeconds(4));
        stage.pod("pod-1", 1);
        stage.until(() -> stage.runs("pod-1"), Duration.ofMinutes(2));
        stage.judge(stage.runs("pod-1"), 5, "asked, collected, asked, without end");
    }

    /** A block has come, was used and was given back when its request is completed. */
    static void checkFails(Stage stage) {
        stage.begin(0);
        // the agent has no chance to end the request before
        Stage.Rule withdraws =
                stage.mishap(
                        AGENT,
                        call(Verb.DELETE, Kinds.REQUESTS),
                        Integer.MAX_VALUE,
                        Kind.BROKEN,
                        Duration.ZERO);
        Stage.Rule intent = stage.hold(CONTROLLER, call(Verb.STATUS, Kinds.REQUESTS));
        stage.pod("pod-1", 1);
        stage.until(intent::holds);
        intent.release();
        Stage.Rule complete = stage.hold(CONTROLLER, call(Verb.STATUS, Kinds.REQUESTS));
        stage.until(complete::holds);
        stage.until(() -> stage.runs("pod-1"));
        stage.podGone("pod-1");
        stage.until(() -> !stage.block("default-0"));
        complete.release();
        stage.pass(2);
        withdraws.end();
        stage.pass(60);
    }
}
