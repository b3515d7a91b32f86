package io.coil.simulation.trace;

import static io.coil.simulation.trace.Stage.call;

import io.coil.core.pool.PoolSwitches;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.Preconditions;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Kind;

import java.time.Duration;

/** Pools that go while something of theirs is used, or is to be. */
final class PoolTraces {
    private static final String AGENT = "n1-agent";
    private static final String CONTROLLER = "controller-a";

    private PoolTraces() {}

    /** A block is made when its pool has gone, which the agent's watch does not show yet. */
    static void poolGone(Stage stage) {
        stage.begin(0);
        Stage.Rule create = stage.hold(CONTROLLER, call(Verb.CREATE, Kinds.BLOCKS));
        stage.pod("pod-1", 1);
        stage.until(create::holds);
        stage.does(Act.LAG, AGENT, 60_000);
        stage.does(Act.NO_COLLECTOR, "", 60_000);
        stage.does(Act.DELETE_POOL, "default", 0);
        stage.until(() -> stage.facts().pool("default") == null);
        create.release();
        stage.pass(40);
    }

    /** A new leader guards a pool that is being deleted, and does not see its block yet. */
    static void poolCached(Stage stage) {
        stage.begin(0);
        Stage.Rule pools = stage.hold("controller-b", call(Verb.LIST, Kinds.POOLS));
        stage.does(Act.CONTROLLER, "controller-b", 0);
        stage.until(pools::holds);
        stage.pass(5);
        stage.does(Act.LAG, "controller-b", 120_000);
        stage.podRuns("pod-1", 1);
        stage.does(Act.KILL, CONTROLLER, 300_000);
        stage.does(Act.DELETE_POOL, "default", 0);
        pools.release();
        stage.pass(60);
    }

    /** The end of a pool's finalizer is under way when another pool has that name. */
    static void poolByName(Stage stage) {
        stage.begin(0);
        Stage.Rule finalizer =
                stage.mishap(
                        CONTROLLER,
                        call(Verb.PATCH, Kinds.POOLS),
                        1,
                        Kind.LATE,
                        Duration.ofSeconds(30));
        stage.does(Act.DELETE_POOL, "default", 0);
        stage.until(() -> finalizer.struck() > 0);
        stage.until(() -> stage.facts().pool("default") == null);
        stage.does(Act.POOL, "default", 0);
        Stage.Rule again = stage.hold(CONTROLLER, call(Verb.PATCH, Kinds.POOLS));
        stage.podRuns("pod-1", 1);
        stage.pass(35);
        stage.does(Act.DELETE_POOL, "default", 0);
        stage.pass(5);
        again.release();
        stage.pass(10);
    }

    /** A pool that keeps a spare is deleted. */
    static void sparePool(Stage stage) {
        stage.begin(0);
        stage.user()
                .patch(
                        Kinds.POOLS,
                        null,
                        "default",
                        Preconditions.NONE,
                        "{\"metadata\":{\"annotations\":{\"%s\":\"1\"}}}"
                                .formatted(PoolSwitches.SPARE_BLOCKS));
        stage.pass(10);
        stage.podRuns("pod-1", 1);
        stage.podGone("pod-1");
        stage.pass(20);
        stage.judge(!stage.facts().blocks().isEmpty(), 5, "the spare was not kept");
        stage.does(Act.DELETE_POOL, "default", 0);
        stage.pass(20);
    }
}
