package io.coil.simulation.world;

import io.coil.simulation.api.DirectApi;
import io.coil.simulation.api.LateWatch;
import io.coil.simulation.fault.Decision;
import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Everything in a run, and what befalls it. */
public final class World {
    /** A process that dies by a call begins again after so long. */
    private static final Duration AFTER_DEATH = Duration.ofSeconds(3);

    private final Ground ground;
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final Controllers controllers;
    private final People people;
    private final OtherGranter otherGranter;
    private boolean healed;

    public World(long seed, boolean traced) {
        this.ground = new Ground(seed, traced, this::killLater);
        this.controllers = new Controllers(ground);
        this.people = new People(ground);
        this.otherGranter = new OtherGranter(ground);
        people.namespace("other");
    }

    public Ground ground() {
        return ground;
    }

    public People people() {
        return people;
    }

    /** Arranges what was decided. */
    public void arrange(Decision decision) {
        switch (decision) {
            case Mishap mishap -> ground.luck().decide(mishap);
            case Deed deed -> ground.scheduler().at(deed.at(), () -> unlessHealed(deed));
        }
    }

    private void unlessHealed(Deed deed) {
        if (!healed) {
            perform(deed);
        }
    }

    /** Does it now. */
    public void perform(Deed deed) {
        ground.luck().count(deed.act().text());
        String target = deed.target();
        long number = deed.number();
        Duration millis = Duration.ofMillis(number);
        long until = ground.nanos() + millis.toNanos();
        switch (deed.act()) {
            case NODE -> host(target).join();
            case CONTROLLER -> controllers.begin(target);
            case POOL -> people.makePool(target, (int) number);
            case POD -> makePod(target, (int) number);
            case DELETE_POD -> withPod(target, Pod::delete);
            case DELETE_POOL -> people.deletePool(target, (int) number);
            case KILL -> {
                Program<?> program = program(target);
                if (program != null && program.life() != null) {
                    program.kill(millis);
                }
            }
            case RESTART -> {
                Program<?> program = program(target);
                if (program != null) {
                    program.restart(millis);
                }
            }
            case SECOND_PROCESS -> withHost(target, h -> h.agent().beginBeside());
            case FREEZE -> {
                Program<?> program = program(target);
                if (program != null) {
                    ground.trace().add(target, () -> "stands still for " + millis);
                    program.freeze(number);
                }
            }
            case PARTITION -> {
                ground.trace().add(target, () -> "is cut off for " + millis);
                ground.luck().partition(target, until);
            }
            case LAG -> {
                ground.trace().add(target, () -> "sees nothing new for " + millis);
                ground.luck().blind(target, until);
            }
            case END_WATCHES -> endWatches(target, number == 1);
            case CLOCK -> {
                Actor life = life(target);
                if (life != null) {
                    life.jump(millis);
                    ground.trace().add(target, () -> "clock jumps by " + millis);
                }
            }
            case REBOOT -> withHost(target, h -> h.reboot(millis));
            case LOSE_NODE ->
                    withHost(
                            target,
                            h -> {
                                h.unregister();
                                ground.scheduler().after(millis, () -> registerAgain(h));
                            });
            case MACHINE_DIES ->
                    withHost(
                            target,
                            h -> {
                                h.die();
                                h.unregister();
                                if (number > 0) {
                                    ground.scheduler().after(millis, h::join);
                                }
                            });
            case FORCE -> withHost(target, h -> force(h, millis));
            case KERNEL -> withHost(target, h -> h.machine().failNext((int) number));
            case CONTAINER_DIES -> withPod(target, p -> p.meets(Pod.Fate.DIED));
            case CONTAINER_FORGOTTEN -> withPod(target, p -> p.meets(Pod.Fate.FORGOTTEN));
            case DELETE_BLOCK -> people.deleteBlock(number);
            case DELETE_REQUEST -> people.deleteRequest(number);
            case TOUCH_BLOCK -> people.touchBlock(number);
            case FOREIGN_BLOCK -> otherGranter.grant(target, "n" + number);
            case COLLECT -> people.collect(number);
            case NO_COLLECTOR -> ground.collectorSleeps(until);
            case FORGET_HISTORY -> ground.forgetHistory();
        }
    }

    private void force(Host host, Duration each) {
        host.die();
        host.notReady();
        ground.scheduler()
                .after(
                        each,
                        () -> {
                            if (!host.machine().running()) {
                                host.outOfService();
                                people.deleteBlocksOf(host.name());
                            }
                        });
        ground.scheduler()
                .after(
                        each.multipliedBy(2),
                        () -> {
                            if (!host.machine().running()) {
                                host.join();
                            }
                        });
    }

    private static void registerAgain(Host host) {
        if (host.machine().running()) {
            host.register();
        }
    }

    private Host host(String name) {
        return hosts.computeIfAbsent(name, n -> new Host(ground, n, hosts.size() + 1));
    }

    private void withHost(String name, java.util.function.Consumer<Host> act) {
        Host host = hosts.get(name);
        if (host != null && host.machine().running()) {
            act.accept(host);
        }
    }

    private void makePod(String name, int node) {
        withHost(
                "n" + node,
                h -> {
                    String namespace = name.startsWith("other") ? "other" : "default";
                    h.kubelet().add(new Pod(namespace, name));
                    ground.trace().add("user", () -> "makes pod " + name + " on " + h.name());
                });
    }

    private void withPod(String name, java.util.function.Consumer<Pod> act) {
        for (Host host : hosts.values()) {
            Pod pod = host.kubelet().pod(name);
            if (pod != null) {
                act.accept(pod);
            }
        }
    }

    private void endWatches(String process, boolean expired) {
        for (LateWatch<?> watch : ground.server().watches()) {
            if (watch.process().equals(process)) {
                watch.end(expired);
            }
        }
    }

    private List<Program<?>> programs() {
        List<Program<?>> all = new ArrayList<>(controllers.all());
        hosts.values().forEach(h -> all.add(h.agent()));
        return all;
    }

    private @Nullable Program<?> program(String name) {
        return programs().stream().filter(p -> p.name().equals(name)).findFirst().orElse(null);
    }

    /** The present life of that process, or null. */
    public @Nullable Actor life(String process) {
        Program<?> program = program(process);
        return program == null ? null : program.life();
    }

    private void killLater(Actor life) {
        for (Program<?> program : programs()) {
            if (program.owns(life)) {
                program.dieAndBeginAgain(life, AFTER_DEATH);
            }
        }
    }

    Collection<Host> hosts() {
        return hosts.values();
    }

    Controllers controllers() {
        return controllers;
    }

    /** The API for somebody outside: each call is one step. */
    public DirectApi directApi(String who) {
        return ground.as(who);
    }

    public List<Machine> machines() {
        return List.copyOf(ground.machines());
    }

    public @Nullable Machine machine(String node) {
        Host host = hosts.get(node);
        return host == null ? null : host.machine();
    }

    /** One step, judged; false if there is none until then. */
    public boolean step(long untilNanos) {
        return ground.step(untilNanos);
    }

    /** Everything goes on until then, or until something is found. */
    public void runUntil(Duration time) {
        while (ground.findings().first() == null && ground.step(time.toNanos())) {
            // The step has judged itself.
        }
    }

    /** The same until that is so: whether it is. */
    public boolean runUntil(BooleanSupplier done, Duration most) {
        long until = ground.nanos() + most.toNanos();
        while (!done.getAsBoolean()) {
            if (ground.findings().first() != null || !ground.step(until)) {
                return false;
            }
        }
        return true;
    }

    /** The container that runs for a pod, or null. */
    public @Nullable String container(String pod) {
        return pods(pod).map(Pod::container).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Whether a kubelet still has to do with a pod. */
    public boolean hasPod(String pod) {
        return pods(pod).findAny().isPresent();
    }

    private Stream<Pod> pods(String name) {
        return hosts.values().stream().map(h -> h.kubelet().pod(name)).filter(Objects::nonNull);
    }

    /** From now on nothing befalls anybody, and whoever ought to run does. */
    public void heal() {
        healed = true;
        ground.luck().end();
        ground.collectorSleeps(0);
        hosts.values().forEach(h -> h.machine().failNext(0));
        for (Host host : hosts.values()) {
            host.kubelet().heal();
            if (host.machine().running()) {
                host.register();
            } else if (ground.facts().hasNode(host.name())) {
                host.join();
            }
        }
        programs().forEach(Program::heal);
        ground.trace().add("world", () -> "heals");
    }

    public void close() {
        ground.close();
    }
}
