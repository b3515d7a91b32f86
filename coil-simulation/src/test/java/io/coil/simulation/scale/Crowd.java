package io.coil.simulation.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.coil.agent.Agent;
import io.coil.agent.AgentSettings;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.controller.Controller;
import io.coil.controller.settings.ControllerSettings;
import io.coil.core.net.Address;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.coil.simulation.api.Call;
import io.coil.simulation.api.DirectApi;
import io.coil.simulation.api.Line;
import io.coil.simulation.api.LineApi;
import io.coil.simulation.api.Server;
import io.coil.simulation.check.Facts;
import io.coil.simulation.check.Findings;
import io.coil.simulation.check.Invariants;
import io.coil.simulation.check.Trace;
import io.coil.simulation.check.Writes;
import io.coil.simulation.fault.Decision.Mishap;
import io.coil.simulation.kernel.ActorKernel;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;
import io.coil.simulation.schedule.Scheduler;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Many nodes with an agent each and a controller, to whom nothing happens but pods. */
final class Crowd implements AutoCloseable {
    private static final String CONFIGURATION =
            "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s\",\"type\":\"coil\"}";

    /** A list that somebody asked for. */
    record Listing(Duration at, Call call) {}

    private final SplittableRandom random = new SplittableRandom(6);
    private final Watcher watcher = new Watcher();
    private final Scheduler scheduler = new Scheduler(random.split(), watcher);
    private final Trace trace = new Trace(false, scheduler::nanos);
    private final Findings findings = new Findings(scheduler::nanos, trace);
    private final Facts facts;
    private final Server server;
    private final List<Machine> machines = new ArrayList<>();
    private final Invariants invariants;
    private final List<Listing> listings = new ArrayList<>();
    private final List<Actor> actors = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    private record Host(Machine machine, Actor life, Agent agent) {}

    Crowd(int nodes) {
        facts =
                new Facts(
                        scheduler::nanos,
                        new Writes(
                                this::facts,
                                findings,
                                () -> this.server().writer(),
                                scheduler::nanos));
        server =
                new Server(
                        () -> Actor.BEGIN.plusNanos(scheduler.nanos()),
                        random.split(),
                        review -> {
                            throw new IOException("nobody answers");
                        },
                        facts);
        invariants = new Invariants(facts, machines, findings);
        KubeApi people = new DirectApi(server, "people");
        people.create(
                Kinds.POOLS,
                new AddressPool(
                        Names.COIL_API,
                        "AddressPool",
                        new V1ObjectMeta().name("default"),
                        new AddressPool.Spec(
                                2, List.of(new AddressPool.Subnet("10.0.0.0/16", null))),
                        null));
        for (int i = 0; i < nodes; i++) {
            hosts.add(host("n" + i, "172.18.%d.%d".formatted(i / 250, 1 + i % 250), people));
        }
    }

    private Facts facts() {
        return facts;
    }

    private Server server() {
        return server;
    }

    private Host host(String name, String address, KubeApi people) {
        V1Node node =
                people.create(Kinds.NODES, new V1Node().metadata(new V1ObjectMeta().name(name)));
        people.replaceStatus(
                Kinds.NODES,
                node.status(
                        new V1NodeStatus()
                                .addAddressesItem(
                                        new V1NodeAddress().type("InternalIP").address(address))
                                .addConditionsItem(
                                        new V1NodeCondition().type("Ready").status("True"))));
        Machine machine = new Machine(name, Address.parse(address));
        machines.add(machine);
        Actor life = actor(name + "-agent");
        return new Host(
                machine,
                life,
                new Agent(
                        api(life),
                        new ActorKernel(life, machine, watcher, trace),
                        life.time(),
                        AgentSettings.of(name, Map.of())));
    }

    private Actor actor(String name) {
        Actor actor = new Actor(scheduler, name, random.split());
        actors.add(actor);
        return actor;
    }

    private KubeApi api(Actor actor) {
        return new LineApi(new Line(actor, watcher, trace), server);
    }

    void start() {
        Actor life = actor("controller-a");
        Controller controller =
                new Controller(
                        api(life),
                        life.time(),
                        ControllerSettings.read(Map.<String, String>of()::get, "controller-a"),
                        new SimpleMeterRegistry());
        life.time().start("main", controller::start);
        hosts.forEach(h -> h.life().time().start("main", h.agent()::start));
    }

    boolean allServe() {
        return hosts.stream().allMatch(h -> h.agent().notServing() == null);
    }

    /** An ADD on each node, spread over that time. */
    void addEverywhere(String generation, Duration over) {
        for (Host host : hosts) {
            String container = generation + "-" + host.machine().name();
            later(
                    over,
                    () -> {
                        host.machine().newNamespace(container);
                        call(host, "ADD", container);
                    });
        }
    }

    /** A DEL of the same. */
    void deleteEverywhere(String generation, Duration over) {
        for (Host host : hosts) {
            String container = generation + "-" + host.machine().name();
            later(
                    over,
                    () -> {
                        host.machine().dies(container);
                        host.machine().dropNamespace(container);
                        call(host, "DEL", container);
                    });
        }
    }

    private void later(Duration atMost, Runnable deed) {
        scheduler.after(Duration.ofNanos(random.nextLong(atMost.toNanos())), deed);
    }

    private void call(Host host, String command, String container) {
        CniRequest request =
                new CniRequest(
                        Map.of(
                                "CNI_COMMAND",
                                command,
                                "CNI_CONTAINERID",
                                container,
                                "CNI_IFNAME",
                                "eth0",
                                "CNI_NETNS",
                                "/run/netns/" + container,
                                "CNI_ARGS",
                                "IgnoreUnknown=1;K8S_POD_NAMESPACE=default;K8S_POD_NAME=p-"
                                        + container),
                        CONFIGURATION);
        host.life()
                .time()
                .start(
                        command,
                        () -> {
                            CniReply reply = host.agent().call(request);
                            if (reply.exitCode() != 0) {
                                findings.violated(9, command + ": " + reply.standardOutput());
                            } else if (command.equals("ADD")) {
                                runs(host, container);
                            }
                        });
    }

    private static void runs(Host host, String container) {
        List<Address> addresses =
                host.machine().links().stream()
                        .filter(l -> l.key().containerId().equals(container))
                        .flatMap(l -> l.addresses().stream())
                        .toList();
        host.machine().lives(new Machine.Live(container, "default/p-" + container, addresses));
    }

    /** Containers that run with an address. */
    long running() {
        return machines.stream().flatMap(m -> m.live().stream()).count();
    }

    int blocks() {
        return facts.blocks().size();
    }

    /** Blocks that were ever made. */
    long grants() {
        return facts.granted();
    }

    List<Listing> listings() {
        return listings;
    }

    void run(Duration time) {
        runUntil(() -> false, time);
    }

    /** False if it has not come true in that time. */
    boolean runUntil(BooleanSupplier done, Duration most) {
        long end = scheduler.nanos() + most.toNanos();
        for (long steps = 0; steps % 1_000 != 0 || !done.getAsBoolean(); steps++) {
            if (!scheduler.step(end)) {
                return done.getAsBoolean();
            }
        }
        return true;
    }

    /** At this step; what was found in any write before counts too. */
    void assertInvariants() {
        invariants.kernelChanged();
        invariants.afterStep();
        assertThat(findings.first()).isNull();
    }

    @Override
    public void close() {
        actors.forEach(Actor::kill);
    }

    /** Nothing befalls a call; lists are noted. */
    private final class Watcher implements Line.Fate, Scheduler.Watcher, ActorKernel.Watcher {
        @Override
        public Call about(Actor actor, Call call) {
            if (call.verb() == Call.Verb.LIST) {
                listings.add(new Listing(Duration.ofNanos(scheduler.nanos()), call));
            }
            return call;
        }

        @Override
        public @Nullable Mishap mishap(Call call) {
            return null;
        }

        @Override
        public void kill(Actor actor) {
            throw new IllegalStateException("nobody dies here");
        }

        @Override
        public boolean calm() {
            return true;
        }

        @Override
        public long partitionedUntil(String process) {
            return 0;
        }

        @Override
        public long blindUntil(String process) {
            return 0;
        }

        @Override
        public void died(String task, Throwable error) {
            findings.violated(11, task + " ended by " + error);
        }

        @Override
        public void stuck(String task, String where) {
            findings.violated(8, task + " waits beside the seams, at " + where);
        }

        @Override
        public void before(Actor actor, String what) {}

        @Override
        public void changed(Machine machine) {}
    }
}
