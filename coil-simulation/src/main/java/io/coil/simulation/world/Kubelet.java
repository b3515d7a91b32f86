package io.coil.simulation.world;

import io.coil.agent.Agent;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kubelet and container runtime of one machine: a task for each pod. */
final class Kubelet {
    private final Ground ground;
    private final Machine machine;
    private final Plugin plugin;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private @Nullable Actor life;

    Kubelet(Ground ground, Machine machine, Program<Agent> agent) {
        this.ground = ground;
        this.machine = machine;
        this.plugin = new Plugin(ground, agent);
    }

    void begin() {
        if (life == null || life.dead()) {
            life = ground.life(machine.name() + "-kubelet");
            List.copyOf(pods.values()).forEach(this::serve);
        }
    }

    /** What ran on a machine that restarts runs no more. */
    void end() {
        if (life != null) {
            life.kill();
        }
        pods.values().forEach(Pod::runsNoMore);
    }

    void forgetAll() {
        pods.clear();
    }

    void add(Pod pod) {
        if (machine.running()) {
            pods.put(pod.name(), pod);
            serve(pod);
        }
    }

    private void serve(Pod pod) {
        Actor now = life;
        if (now != null && !now.dead()) {
            PodLife pods = new PodLife(ground, machine, plugin, now, pod);
            now.time().start(pod.name(), () -> pods.run(this::gone));
        }
    }

    private void gone(Pod pod) {
        pods.remove(pod.name());
    }

    Collection<Pod> pods() {
        return pods.values();
    }

    @Nullable Pod pod(String name) {
        return pods.get(name);
    }

    /** Everything goes at its usual speed. */
    void heal() {
        if (life != null) {
            life.thaw();
        }
    }
}
