package io.coil.simulation.world;

import io.coil.simulation.api.DirectApi;
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
    private final Deeds deeds;
    private boolean healed;

    /** A world in which nothing is yet; {@code timing}: the settings of all programs. */
    public World(long seed, Timing timing, boolean traced) {
        this.ground = new Ground(seed, timing, traced, this::killLater);
        this.controllers = new Controllers(ground);
        this.people = new People(ground);
        this.deeds = new Deeds(this);
        people.namespace("other");
    }

    public Ground ground() {
        return ground;
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
        deeds.perform(deed);
    }

    People people() {
        return people;
    }

    Host host(String name) {
        return hosts.computeIfAbsent(name, n -> new Host(ground, n, hosts.size() + 1));
    }

    @Nullable Host knownHost(String name) {
        return hosts.get(name);
    }

    private List<Program<?>> programs() {
        List<Program<?>> all = new ArrayList<>(controllers.all());
        hosts.values().forEach(h -> all.add(h.agent()));
        return all;
    }

    @Nullable Program<?> program(String name) {
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
        ground.webhook().heal();
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
