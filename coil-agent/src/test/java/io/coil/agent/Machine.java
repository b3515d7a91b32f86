package io.coil.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.agent.kernel.SimulatedKernel;
import io.coil.core.holdings.Assignment;
import io.coil.core.net.Address;
import io.coil.kubernetes.client.ClientKubeApi;
import io.coil.kubernetes.time.VirtualThreads;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A machine: its kernel outlives its agents, and its container runtime talks to the one there. */
final class Machine implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"/]+)/");
    private static final String CONFIGURATION =
            "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s\",\"type\":\"coil\"}";

    final String name;
    final SimulatedKernel kernel;

    /** Goes on over restarts of its agent; a test may leave a stretch of it out. */
    final JumpingTime time = new JumpingTime(new VirtualThreads());

    private final ClientKubeApi api;
    private final Map<String, String> settings;
    Agent agent;

    Machine(String name, String address, ClientKubeApi api, Map<String, String> settings) {
        this.name = name;
        this.kernel = new SimulatedKernel(Set.of(Address.parse(address)));
        this.api = api;
        this.settings = settings;
        this.agent = newAgent(name);
    }

    private Agent newAgent(String node) {
        return new Agent(api, kernel, time, AgentSettings.of(node, settings));
    }

    void start() {
        agent.start();
        awaitServing();
    }

    void awaitServing() {
        await().atMost(Duration.ofSeconds(10)).until(() -> agent.notServing() == null);
    }

    /** The agent's process ends; what it knew is lost, what kernel and API hold stays. */
    void stopAgent() throws InterruptedException {
        agent.stop();
        agent = newAgent(name);
    }

    void restartAgent() throws InterruptedException {
        stopAgent();
        start();
    }

    /** The next agent is told another node's name. */
    void stopAgentAndName(String node) throws InterruptedException {
        agent.stop();
        agent = newAgent(node);
    }

    CniReply cni(String command, String container, String namespace, String pod, String netns)
            throws InterruptedException {
        return agent.call(
                new CniRequest(
                        environment(command, container, namespace, pod, netns), CONFIGURATION));
    }

    /** ADD of somebody who waits only so long. */
    CniReply addWithin(Duration patience, String container, String pod)
            throws InterruptedException {
        return agent.call(
                new CniRequest(
                        environment("ADD", container, "default", pod, "/run/netns/" + container),
                        CONFIGURATION,
                        patience));
    }

    CniReply gc(String more) throws InterruptedException {
        return agent.call(
                new CniRequest(
                        Map.of("CNI_COMMAND", "GC", "CNI_PATH", "/opt/cni/bin"),
                        "{\"cniVersion\":\"1.1.0\",\"name\":\"k8s\",\"type\":\"coil\"%s}"
                                .formatted(more)));
    }

    private static Map<String, String> environment(
            String command, String container, String namespace, String pod, String netns) {
        return Map.of(
                "CNI_COMMAND", command,
                "CNI_CONTAINERID", container,
                "CNI_IFNAME", "eth0",
                "CNI_NETNS", netns,
                "CNI_ARGS",
                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s"
                                .formatted(namespace, pod));
    }

    /** ADD of a pod in namespace default; the address, or an assertion error with the answer. */
    String add(String container, String pod) throws InterruptedException {
        return addIn("default", container, pod);
    }

    String addIn(String namespace, String container, String pod) throws InterruptedException {
        return addresses(cni("ADD", container, namespace, pod, "/run/netns/" + container))
                .getFirst();
    }

    static List<String> addresses(CniReply reply) {
        assertThat(reply.exitCode()).as(reply.standardOutput()).isZero();
        Matcher address = ADDRESS.matcher(reply.standardOutput());
        List<String> all = address.results().map(r -> r.group(1)).toList();
        assertThat(all).isNotEmpty();
        return all;
    }

    void del(String container, String pod) throws InterruptedException {
        CniReply reply = cni("DEL", container, "default", pod, "/run/netns/" + container);
        assertThat(reply.exitCode()).as(reply.standardOutput()).isZero();
    }

    /** Addresses in use by the agent's record. */
    List<String> inUse() {
        return agent.assignments().stream()
                .flatMap(a -> a.addresses().stream())
                .map(Address::toString)
                .sorted()
                .toList();
    }

    @Nullable Assignment assignment(String container) {
        return agent.assignments().stream()
                .filter(a -> a.key().containerId().equals(container))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        try {
            agent.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        api.close();
    }
}
