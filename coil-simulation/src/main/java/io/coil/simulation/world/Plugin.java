package io.coil.simulation.world;

import io.coil.agent.Agent;
import io.coil.agent.cni.CniReply;
import io.coil.agent.cni.CniRequest;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/** The plugin: carries a call from the kubelet to the agent's socket, and the answer back. */
final class Plugin {
    private static final String CONFIGURATION =
            "{\"cniVersion\":\"1.0.0\",\"name\":\"k8s\",\"type\":\"coil\"}";

    private final Program<Agent> agent;
    private final Ground ground;

    Plugin(Ground ground, Program<Agent> agent) {
        this.ground = ground;
        this.agent = agent;
    }

    /** The answer; null if there was none: no agent, it died, or it took too long. */
    @Nullable CniReply call(
            Actor kubelet, String command, Pod pod, String container, Duration patience)
            throws InterruptedException {
        kubelet.passWhole(Duration.ofMillis(1 + kubelet.random().nextInt(20)));
        Actor life = agent.life();
        Agent running = agent.running();
        if (life == null || running == null) {
            return null;
        }
        Answer answer = new Answer(kubelet.nap());
        life.onDeath(answer::broken);
        CniRequest request = request(command, pod, container, patience);
        ground.trace().add(kubelet.name(), () -> command + " " + container);
        life.time()
                .start(
                        command + " " + container,
                        () -> {
                            CniReply reply = running.call(request);
                            life.passWhole(Duration.ofMillis(life.random().nextInt(5)));
                            answer.came(reply);
                        });
        CniReply reply = answer.await(kubelet, patience);
        ground.trace()
                .add(
                        kubelet.name(),
                        () ->
                                "%s %s -> %s"
                                        .formatted(
                                                command,
                                                container,
                                                reply == null
                                                        ? "no answer"
                                                        : reply.exitCode()
                                                                + " "
                                                                + reply.standardOutput()));
        return reply;
    }

    /** The life of the agent that would answer now. */
    @Nullable Actor agentLife() {
        return agent.life();
    }

    /** Whether nothing kept that life from answering a call that began then. */
    boolean couldAnswer(@Nullable Actor life, long begun) {
        return agent.unhindered(life, begun);
    }

    private static CniRequest request(
            String command, Pod pod, String container, Duration patience) {
        return new CniRequest(
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
                        "IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s"
                                .formatted(pod.namespace(), pod.name())),
                CONFIGURATION,
                patience);
    }

    private static final class Answer {
        private final Actor.Nap nap;
        private @Nullable CniReply reply;
        private boolean over;

        Answer(Actor.Nap nap) {
            this.nap = nap;
        }

        void came(CniReply its) {
            if (!over) {
                reply = its;
                over = true;
                nap.wake();
            }
        }

        void broken() {
            if (!over) {
                over = true;
                nap.wake();
            }
        }

        @Nullable CniReply await(Actor kubelet, Duration patience) throws InterruptedException {
            long until = kubelet.time().nanos() + patience.toNanos();
            try {
                while (!over && kubelet.time().nanos() < until) {
                    nap.until(until);
                }
                return reply;
            } finally {
                over = true;
            }
        }
    }
}
