package io.coil.simulation.world;

import io.coil.agent.Agent;
import io.coil.core.net.Address;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import java.time.Duration;
import java.util.Map;

/** A node: its machine, its Node, the agent and the kubelet on it. */
final class Host {
    private final Ground ground;
    private final Machine machine;
    private final Program<Agent> agent;
    private final Kubelet kubelet;

    Host(Ground ground, String name, int number) {
        this.ground = ground;
        this.machine = new Machine(name, Address.parse("172.18.0." + (number + 1)));
        this.agent = new Program<>(ground, name + "-agent", new AgentCode());
        this.kubelet = new Kubelet(ground, machine, agent);
        ground.machines().add(machine);
    }

    String name() {
        return machine.name();
    }

    Machine machine() {
        return machine;
    }

    Program<Agent> agent() {
        return agent;
    }

    Kubelet kubelet() {
        return kubelet;
    }

    /** The machine is on, registers, and its programs begin. */
    void join() {
        machine.on();
        register();
        kubelet.begin();
        agent.begin();
    }

    void register() {
        KubeApi api = ground.as("kubelet " + name());
        V1Node node = api.get(Kinds.NODES, null, name()).orElse(null);
        if (node == null) {
            node =
                    api.create(
                            Kinds.NODES,
                            new V1Node()
                                    .metadata(
                                            new V1ObjectMeta()
                                                    .name(name())
                                                    .labels(
                                                            Map.of(
                                                                    "kubernetes.io/hostname",
                                                                    name()))));
            ground.trace().add(name(), () -> "Node is there");
        } else if (node.getSpec() != null && node.getSpec().getTaints() != null) {
            node = patched("{\"spec\":{\"taints\":null}}");
        }
        api.replaceStatus(Kinds.NODES, node.status(status("True")));
    }

    private V1NodeStatus status(String ready) {
        return new V1NodeStatus()
                .addAddressesItem(
                        new V1NodeAddress()
                                .type("InternalIP")
                                .address(machine.address().toString()))
                .addConditionsItem(new V1NodeCondition().type("Ready").status(ready));
    }

    private V1Node patched(String patch) {
        return ground.as("admin").patch(Kinds.NODES, null, name(), Preconditions.NONE, patch);
    }

    /** Nobody hears of the machine any more. */
    void notReady() {
        KubeApi api = ground.as("node-controller");
        api.get(Kinds.NODES, null, name())
                .ifPresent(n -> api.replaceStatus(Kinds.NODES, n.status(status("Unknown"))));
        ground.trace().add(name(), () -> "is not ready");
    }

    /** Somebody says that the machine is off. */
    void outOfService() {
        if (ground.as("admin").get(Kinds.NODES, null, name()).isPresent()) {
            V1Node marked =
                    patched(
                            "{\"spec\":{\"taints\":[{\"key\":\"node.kubernetes.io/out-of-service\",\"value\":\"nodeshutdown\",\"effect\":\"NoExecute\"}]}}");
            ground.trace()
                    .add(
                            name(),
                            () ->
                                    "is marked out of service (rv %s)"
                                            .formatted(marked.getMetadata().getResourceVersion()));
        }
    }

    void unregister() {
        KubeApi api = ground.as("admin");
        if (api.get(Kinds.NODES, null, name()).isPresent()) {
            api.delete(Kinds.NODES, null, name(), Preconditions.NONE);
            ground.trace().add(name(), () -> "Node is deleted");
        }
    }

    /** The machine restarts; its pods are its pods still. */
    void reboot(Duration down) {
        ground.trace().add(name(), () -> "reboots");
        stop();
        machine.reboot();
        ground.containersChanged();
        ground.scheduler()
                .after(
                        down,
                        () -> {
                            if (machine.running()) {
                                kubelet.begin();
                                agent.begin();
                            }
                        });
    }

    /** The machine is gone for good, and so are its pods. */
    void die() {
        ground.trace().add(name(), () -> "dies");
        stop();
        machine.off();
        kubelet.forgetAll();
        ground.containersChanged();
    }

    private void stop() {
        kubelet.end();
        agent.end();
    }

    private final class AgentCode implements Program.Code<Agent> {
        @Override
        public Agent make(Actor life, int number) {
            return new Agent(
                    ground.api(life),
                    ground.kernel(life, machine),
                    life.time(),
                    ground.timing().agent(machine.name()));
        }

        @Override
        public void start(Agent made) {
            made.start();
        }

        @Override
        public void stop(Agent made) throws InterruptedException {
            made.stop();
        }
    }
}
