package io.coil.sandbox.program;

import io.coil.agent.Agent;
import io.coil.agent.spring.AgentApplication;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.time.VirtualThreads;
import io.coil.sandbox.check.GivenBack;
import io.coil.sandbox.cluster.CniEntry;
import io.coil.sandbox.cluster.CniReply;
import io.coil.sandbox.cluster.CniRequest;
import io.coil.sandbox.cluster.Machine;
import io.coil.sandbox.cluster.Program;
import io.coil.sandbox.log.CurrentPod;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.context.ConfigurableApplicationContext;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A node's agent behind pods of the component {@code coil-agent}. */
public final class AgentProgram implements Program.Starter {
    private final Access access;
    private final Starts starts;
    private final Map<String, Object> properties;
    private final Machines machines;
    private final Map<String, ConfigurableApplicationContext> running = new ConcurrentHashMap<>();

    AgentProgram(Access access, Starts starts, Map<String, String> properties, Machines machines) {
        this.access = access;
        this.starts = starts;
        this.properties = new HashMap<>(properties);
        this.properties.put("coil.agent.metrics-port", "0");
        this.properties.put("coil.agent.health-port", "0");
        this.machines = machines;
    }

    @Override
    public Program start(V1Pod pod, Machine machine) throws InterruptedException {
        SimulatedMachine simulated = machines.get(machine.name());
        ClientKubeApi api =
                access.serviceAccount("coil-agent", GivenBack.agent("coil-agent", machine.name()));
        Map<String, Object> own = new HashMap<>(properties);
        own.put("coil.node-name", machine.name());
        ConfigurableApplicationContext context =
                starts.run(
                        pod,
                        () ->
                                AgentApplication.run(
                                        own, api, simulated.kernel(), new VirtualThreads()));
        Agent agent = context.getBean(Agent.class);
        CniEntry entry = entry(agent, pod);
        simulated.listen(entry);
        running.put(machine.name(), context);
        return new ContextProgram(
                context,
                () -> agent.notServing() == null,
                () -> simulated.silence(entry),
                () -> {
                    running.remove(machine.name(), context);
                    api.close();
                });
    }

    /** Those that run now, by node. */
    public Map<String, ConfigurableApplicationContext> running() {
        return Map.copyOf(running);
    }

    /** The call runs on the caller's thread, but it is the agent's work: so are its log lines. */
    private static CniEntry entry(Agent agent, V1Pod pod) {
        String name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
        return request -> CurrentPod.call(name, () -> call(agent, request));
    }

    private static CniReply call(Agent agent, CniRequest request) throws InterruptedException {
        var reply =
                agent.call(
                        new io.coil.agent.cni.CniRequest(request.environment(), request.stdin()));
        return new CniReply(reply.exitCode(), reply.standardOutput());
    }
}
