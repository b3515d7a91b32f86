package io.coil.simulation.world;

import io.coil.simulation.api.LateWatch;
import io.coil.simulation.fault.Decision.Deed;
import io.coil.simulation.schedule.Actor;

import java.time.Duration;
import java.util.function.Consumer;

/** What the world does to those who are in it. A deed whose target is not there does nothing. */
final class Deeds {
    private final World world;
    private final Ground ground;
    private final OtherGranter otherGranter;

    Deeds(World world) {
        this.world = world;
        this.ground = world.ground();
        this.otherGranter = new OtherGranter(ground);
    }

    /** Does it now. */
    void perform(Deed deed) {
        ground.luck().count(deed.act().text());
        String target = deed.target();
        long number = deed.number();
        Duration millis = Duration.ofMillis(number);
        long until = ground.nanos() + millis.toNanos();
        switch (deed.act()) {
            case NODE -> world.host(target).join();
            case CONTROLLER -> world.controllers().begin(target);
            case POOL -> world.people().makePool(target, (int) number);
            case POD -> makePod(target, (int) number);
            case DELETE_POD -> withPod(target, Pod::delete);
            case DELETE_POOL -> world.people().deletePool(target, (int) number);
            case KILL -> {
                Program<?> program = world.program(target);
                if (program != null && program.life() != null) {
                    program.kill(millis);
                }
            }
            case RESTART -> {
                Program<?> program = world.program(target);
                if (program != null) {
                    program.restart(millis);
                }
            }
            case SECOND_PROCESS -> withHost(target, h -> h.agent().beginBeside());
            case FREEZE -> {
                Program<?> program = world.program(target);
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
                Actor life = world.life(target);
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
            case JOURNAL -> withHost(target, h -> h.machine().spoilJournal((int) number));
            case KERNEL -> withHost(target, h -> h.machine().failNext((int) number));
            case CONTAINER_DIES -> withPod(target, p -> p.meets(Pod.Fate.DIED));
            case CONTAINER_FORGOTTEN -> withPod(target, p -> p.meets(Pod.Fate.FORGOTTEN));
            case DELETE_BLOCK -> world.people().deleteBlock(number);
            case DELETE_REQUEST -> world.people().deleteRequest(number);
            case TOUCH_BLOCK -> world.people().touchBlock(number);
            case FOREIGN_BLOCK -> otherGranter.grant(target, "n" + number);
            case COLLECT -> world.people().collect(number);
            case WEBHOOK_AWAY -> {
                ground.trace().add("webhook", () -> "is away for " + millis);
                ground.webhook().away(until);
            }
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
                                world.people().deleteBlocksOf(host.name());
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

    private void withHost(String name, Consumer<Host> act) {
        Host host = world.knownHost(name);
        if (host != null && host.machine().running()) {
            act.accept(host);
        }
    }

    private void makePod(String name, int node) {
        withHost(
                "n" + node,
                h -> {
                    String namespace = name.startsWith("other") ? "other" : "default";
                    if (h.kubelet().pod(name) != null) {
                        return; // two of one name would have containers of one id
                    }
                    h.kubelet().add(new Pod(namespace, name));
                    ground.trace().add("user", () -> "makes pod " + name + " on " + h.name());
                });
    }

    private void withPod(String name, Consumer<Pod> act) {
        for (Host host : world.hosts()) {
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
}
