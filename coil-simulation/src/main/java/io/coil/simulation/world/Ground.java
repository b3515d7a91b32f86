package io.coil.simulation.world;

import io.coil.controller.Controller;
import io.coil.controller.admission.Admissions;
import io.coil.kubernetes.api.Kinds;
import io.coil.simulation.api.DirectApi;
import io.coil.simulation.api.Line;
import io.coil.simulation.api.LineApi;
import io.coil.simulation.api.Server;
import io.coil.simulation.check.Facts;
import io.coil.simulation.check.Findings;
import io.coil.simulation.check.Invariants;
import io.coil.simulation.check.Logs;
import io.coil.simulation.check.Trace;
import io.coil.simulation.check.Writes;
import io.coil.simulation.kernel.ActorKernel;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;
import io.coil.simulation.schedule.Scheduler;
import io.coil.simulation.schedule.Watchdog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** What everything in a run stands on: time, the server, luck, and whoever looks on. */
public final class Ground implements Scheduler.Watcher, ActorKernel.Watcher {
    private final long seed;
    private final Timing timing;
    private final Scheduler scheduler;
    private final Trace trace;
    private final Findings findings;
    private final Facts facts;
    private final Server server;
    private final Luck luck;
    private final Webhook webhook;
    private final List<Webhook.Replica> replicas = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final Invariants invariants;
    private final Set<Actor> actors = new LinkedHashSet<>();
    private final List<KernelGate> kernelGates = new ArrayList<>();
    private final Logs logs;
    private final Watchdog watchdog;
    private long collectorSleeps;
    private int lives;

    /** Sees what an agent is about to do to its kernel; may hold it. */
    @FunctionalInterface
    public interface KernelGate {
        void before(Actor actor, String what);
    }

    Ground(long seed, Timing timing, boolean traced, java.util.function.Consumer<Actor> killer) {
        this.seed = seed;
        this.timing = timing;
        this.scheduler = new Scheduler(stream("lots"), this);
        this.trace = new Trace(traced, scheduler::nanos);
        this.findings = new Findings(scheduler::nanos, trace);
        this.facts =
                new Facts(
                        scheduler::nanos,
                        new Writes(
                                this::facts,
                                findings,
                                () -> this.server().writer(),
                                scheduler::nanos));
        this.watchdog = new Watchdog(scheduler);
        this.logs = new Logs(findings, scheduler::isCalledByTask);
        this.invariants = new Invariants(facts, machines, findings);
        this.luck = new Luck(killer);
        this.webhook = new Webhook(() -> replicas, luck, scheduler::nanos, stream("webhook"));
        this.server =
                new Server(
                        () -> Actor.BEGIN.plusNanos(scheduler.nanos()),
                        stream("server"),
                        webhook,
                        facts);
        scheduler.after(Duration.ofSeconds(1), this::collectForEver);
    }

    /** Luck of its own for everything that has a name. */
    SplittableRandom stream(String name) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + name.hashCode());
    }

    /** A new life of that process. */
    Actor life(String process) {
        Actor actor = new Actor(scheduler, process, stream(process + "#" + lives++));
        actors.add(actor);
        actor.onDeath(() -> actors.remove(actor));
        return actor;
    }

    LineApi api(Actor actor) {
        return new LineApi(new Line(actor, luck, trace), server);
    }

    /** One more answers the server's reviews, as long as it lives. */
    void answersReviews(Actor life, Controller controller) {
        Webhook.Replica replica =
                new Webhook.Replica(
                        life, new Admissions(controller.view(), as("webhook"), life.time()));
        replicas.add(replica);
        life.onDeath(() -> replicas.remove(replica));
    }

    Webhook webhook() {
        return webhook;
    }

    ActorKernel kernel(Actor actor, Machine machine) {
        return new ActorKernel(actor, machine, this, trace);
    }

    /** One step, judged; false if there is none until then. */
    boolean step(long untilNanos) {
        boolean stepped = scheduler.step(untilNanos);
        invariants.afterStep();
        return stepped;
    }

    /** Kubernetes' own collector. */
    private void collectForEver() {
        if (scheduler.nanos() >= collectorSleeps) {
            server.collect();
        }
        scheduler.after(Duration.ofMillis(2_500), this::collectForEver);
    }

    void collectorSleeps(long untilNanos) {
        collectorSleeps = untilNanos;
    }

    void forgetHistory() {
        server.forgetHistory(Kinds.BLOCKS);
        server.forgetHistory(Kinds.REQUESTS);
        server.forgetHistory(Kinds.POOLS);
        server.forgetHistory(Kinds.NODES);
    }

    /** Ends whatever still runs. */
    void close() {
        List.copyOf(actors).forEach(Actor::kill);
        logs.close();
        watchdog.close();
    }

    @Override
    public void died(String task, Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        findings.violated(
                11,
                "%s ended by %s%s"
                        .formatted(task, error, stack.length == 0 ? "" : " at " + stack[0]));
    }

    @Override
    public void stuck(String task, String where) {
        findings.violated(8, "%s waits beside the seams, at %s".formatted(task, where));
    }

    @Override
    public void before(Actor actor, String what) {
        kernelGates.forEach(g -> g.before(actor, what));
    }

    @Override
    public void changed(Machine machine) {
        invariants.kernelChanged();
    }

    public void gate(KernelGate gate) {
        kernelGates.add(gate);
    }

    Timing timing() {
        return timing;
    }

    DirectApi as(String who) {
        return new DirectApi(server, who);
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    long nanos() {
        return scheduler.nanos();
    }

    public Trace trace() {
        return trace;
    }

    public Findings findings() {
        return findings;
    }

    public Facts facts() {
        return facts;
    }

    public Server server() {
        return server;
    }

    public Luck luck() {
        return luck;
    }

    List<Machine> machines() {
        return machines;
    }

    void containersChanged() {
        invariants.kernelChanged();
    }
}
