package io.coil.simulation.trace;

import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.simulation.api.Call;
import io.coil.simulation.api.Call.Verb;
import io.coil.simulation.directed.Hold;
import io.coil.simulation.directed.Stage;
import io.coil.simulation.fault.Act;
import io.coil.simulation.fault.Decision.Kind;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Schedules in which a mistake that needs no model does its harm. */
final class MistakeTraces {
    private static final String AGENT = "n1-agent";
    private static final String LEADER = "controller-a";
    private static final String NEXT = "controller-b";

    private MistakeTraces() {}

    private static Predicate<Call> call(Verb verb, io.coil.kubernetes.api.Kind<?> kind) {
        return call -> call.is(verb, kind);
    }

    private static void begin(Stage stage, int bits) {
        stage.pool("default", bits).node("n1").node("n2").controller(LEADER);
        stage.run(Duration.ofSeconds(10));
    }

    private static void runs(Stage stage, String pod, String node) {
        stage.pod(pod, node).runUntil(pod + " runs", () -> stage.runs(pod));
    }

    private static boolean block(Stage stage, String name) {
        return stage.facts().blocks().stream().anyMatch(b -> b.name().equals(name));
    }

    /** An intent comes when its request has been granted another block. */
    static void lastWriterWins(Stage stage) {
        begin(stage, 0);
        runs(stage, "first", "n2");
        stage.befall(LEADER, call(Verb.STATUS, Kinds.REQUESTS), Kind.LATE, Duration.ofSeconds(10));
        Hold fetched = stage.holdBefore(AGENT, call(Verb.DELETE, Kinds.REQUESTS));
        stage.pod("second", "n1").run(Duration.ofSeconds(2));
        // So the next try chooses another index.
        stage.deletePod("first").runUntil("default-0 is free", () -> !block(stage, "default-0"));
        stage.runUntil("it is granted", () -> block(stage, "default-0"));
        stage.run(Duration.ofSeconds(30));
        fetched.release();
    }

    /** Grants take longer than an ADD waits. */
    static void slowGrants(Stage stage) {
        begin(stage, 0);
        for (int i = 0; i < 200; i++) {
            stage.befall(LEADER, call(Verb.GET, Kinds.POOLS), Kind.SLOW, Duration.ofSeconds(9));
            stage.befall(
                    LEADER, call(Verb.STATUS, Kinds.REQUESTS), Kind.SLOW, Duration.ofSeconds(9));
        }
        stage.pod("first", "n1");
        stage.run(Duration.ofMinutes(3));
        if (!stage.runs("first")) {
            throw new AssertionError("invariant 5: asked, deleted, asked, without end");
        }
    }

    /** An ADD times out while its block is being made. */
    static void blockAfterTimeOut(Stage stage) {
        begin(stage, 0);
        Hold create = stage.holdBefore(LEADER, call(Verb.CREATE, Kinds.BLOCKS));
        stage.pod("first", "n1").runUntil(create);
        stage.run(Duration.ofSeconds(13)).deletePod("first");
        create.release();
        stage.run(Duration.ofSeconds(60));
    }

    /** A block was given back, and the watch still shows it while pods come. */
    static void watchBehind(Stage stage) {
        begin(stage, 1);
        runs(stage, "first", "n1");
        stage.run(Duration.ofSeconds(3)).blind(AGENT, Duration.ofSeconds(90)).deletePod("first");
        stage.runUntil("it goes back", () -> !block(stage, "default-0"));
        for (int i = 2; i <= 12; i++) {
            stage.pod("pod-" + i, "n1").run(Duration.ofSeconds(4));
        }
    }

    /** A block is made when its pool has gone, which no watch shows yet. */
    static void poolGone(Stage stage) {
        begin(stage, 0);
        Hold create = stage.holdBefore(LEADER, call(Verb.CREATE, Kinds.BLOCKS));
        stage.pod("first", "n1").runUntil(create);
        stage.blind(AGENT, Duration.ofSeconds(60)).perform(Act.NO_COLLECTOR, "", 60_000);
        stage.perform(Act.DELETE_POOL, "default", 0);
        stage.runUntil("the pool has gone", () -> stage.facts().pool("default") == null);
        create.release();
        stage.run(Duration.ofSeconds(40));
    }

    /**
     * The links are read while an ADD makes one, and who has an address is read when that ADD is
     * done.
     */
    static void linksBehind(Stage stage) {
        begin(stage, 0);
        Hold attach = stage.holdKernel(AGENT, what -> what.startsWith("attaches"));
        stage.pod("first", "n1").runUntil(attach);
        Hold links = stage.holdKernel(AGENT, what -> what.equals("reads links"));
        stage.perform(Act.COLLECT, "", 2).runUntil(links);
        Hold routes = stage.holdKernel(AGENT, what -> what.equals("reads routes"));
        links.release();
        stage.runUntil(routes);
        attach.release();
        stage.runUntil("the pod runs", () -> stage.runs("first"));
        routes.release();
        stage.run(Duration.ofSeconds(40));
    }

    /** Two pools overlap, and the next leader's watch does not show yet what the first has made. */
    static void overlappingPools(Stage stage) {
        begin(stage, 0);
        stage.perform(Act.WEBHOOK_AWAY, "", 1_000); // it would refuse the second
        stage.api()
                .create(
                        Kinds.POOLS,
                        new AddressPool(
                                Names.COIL_API,
                                "AddressPool",
                                new V1ObjectMeta().name("other").addFinalizersItem(Names.FINALIZER),
                                new AddressPool.Spec(
                                        0, List.of(new AddressPool.Subnet("10.1.0.0/29", null))),
                                null));
        stage.controller(NEXT).run(Duration.ofSeconds(10));
        stage.blind(NEXT, Duration.ofMinutes(2));
        runs(stage, "first", "n1");
        stage.kill(LEADER, Duration.ofMinutes(5));
        runs(stage, "other-1", "n2");
    }

    /** A request is answered before its agent looks at it again. */
    static void answeredUnseen(Stage stage) {
        begin(stage, 0);
        Hold created = stage.holdBefore(AGENT, call(Verb.CREATE, Kinds.REQUESTS));
        stage.pod("first", "n1").runUntil(created);
        Hold look = stage.holdBefore(AGENT, call(Verb.GET, Kinds.REQUESTS));
        created.release();
        stage.runUntil(look);
        stage.runUntil("the block is there", () -> block(stage, "default-0"));
        stage.run(Duration.ofSeconds(20));
        look.release();
        stage.run(Duration.ofSeconds(20));
    }
}
