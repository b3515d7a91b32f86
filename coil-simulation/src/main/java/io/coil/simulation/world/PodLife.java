package io.coil.simulation.world;

import io.coil.agent.cni.CniReply;
import io.coil.core.net.Address;
import io.coil.simulation.kernel.Machine;
import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What kubelet and runtime do for one pod: a sandbox, ADD with a deadline, a container while it
 * lives, DEL until it succeeds, and again, until the pod is deleted.
 */
final class PodLife {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration LONGEST = Duration.ofSeconds(16);
    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"/]+)/");

    /** Reasons for which a DEL may fail: none of them is the API's. */
    private static final List<String> GOOD_REASONS =
            List.of(
                    "the link is still there",
                    "another call about this",
                    "there is no Node",
                    "none of the InternalIPs",
                    "the agent is",
                    "the agent has");

    private final Ground ground;
    private final Machine machine;
    private final Plugin plugin;
    private final Actor kubelet;
    private final Pod pod;

    PodLife(Ground ground, Machine machine, Plugin plugin, Actor kubelet, Pod pod) {
        this.ground = ground;
        this.machine = machine;
        this.plugin = plugin;
        this.kubelet = kubelet;
        this.pod = pod;
    }

    void run(Consumer<Pod> gone) throws InterruptedException {
        pod.listen(kubelet.time().signal());
        Duration pause = Duration.ofSeconds(1);
        clean();
        while (!pod.deleted()) {
            String id = pod.nextSandbox();
            machine.newNamespace(id);
            pod.leftovers().add(id);
            CniReply reply = plugin.call(kubelet, "ADD", pod, id, PATIENCE);
            if (reply != null && reply.ok()) {
                live(id, reply);
                pause = Duration.ofSeconds(1);
            } else {
                pod.trouble(reply == null ? "no answer" : reply.standardOutput());
                pause = pause.multipliedBy(2);
                pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
            }
            clean();
            if (!pod.deleted()) {
                kubelet.time().sleep(kubelet.time().jitter(pause, 0.5));
            }
        }
        ground.trace().add(kubelet.name(), () -> "pod " + pod + " is gone");
        gone.accept(pod);
    }

    private void live(String id, CniReply reply) throws InterruptedException {
        List<Address> addresses = new ArrayList<>();
        Matcher matcher = ADDRESS.matcher(reply.standardOutput());
        while (matcher.find()) {
            addresses.add(Address.parse(matcher.group(1)));
        }
        machine.lives(new Machine.Live(id, pod.name(), addresses));
        pod.runs(id);
        ground.containersChanged();
        ground.luck().count("(containers)");
        while (!pod.deleted() && pod.fate() == Pod.Fate.RUNS) {
            if (!pod.await(kubelet.time().jitter(Duration.ofSeconds(80), 0.5)) && !checked(id)) {
                break;
            }
        }
        if (pod.fate() == Pod.Fate.FORGOTTEN) {
            machine.dropNamespace(id);
            pod.leftovers().remove(id);
        }
        machine.dies(id);
        pod.runsNoMore();
        ground.containersChanged();
        ground.trace().add(kubelet.name(), () -> "container " + id + " " + pod.fate());
    }

    /** A sandbox whose network is gone is replaced; an agent that does not answer is no reason. */
    private boolean checked(String id) throws InterruptedException {
        CniReply reply = plugin.call(kubelet, "CHECK", pod, id, PATIENCE);
        if (reply == null || reply.ok() || reply.standardOutput().contains("\"code\":11")) {
            return true;
        }
        if (reply.standardOutput().contains("\"code\":3,")) {
            ground.findings().violated(10, "the agent knows nothing of live container " + id);
        }
        return reply.standardOutput().contains("buffer space")
                || reply.standardOutput().contains("half-way");
    }

    private void clean() throws InterruptedException {
        Duration pause = Duration.ofMillis(500);
        for (String id : List.copyOf(pod.leftovers())) {
            while (!deleted(id)) {
                kubelet.time().sleep(kubelet.time().jitter(pause, 0.5));
                pause = pause.multipliedBy(2);
                pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
            }
            machine.dropNamespace(id);
            pod.leftovers().remove(id);
        }
    }

    private boolean deleted(String id) throws InterruptedException {
        long begun = kubelet.time().nanos();
        Actor life = plugin.agentLife();
        CniReply reply = plugin.call(kubelet, "DEL", pod, id, PATIENCE);
        if (reply == null) {
            if (plugin.couldAnswer(life, begun)) {
                ground.findings().violated(9, "DEL of %s is not answered".formatted(id));
            }
        } else if (!reply.ok()) {
            judge(id, reply.standardOutput());
        }
        return reply != null && reply.ok();
    }

    private void judge(String id, @Nullable String why) {
        if (why != null && GOOD_REASONS.stream().noneMatch(why::contains)) {
            ground.findings().violated(9, "DEL of %s fails: %s".formatted(id, why));
        }
    }
}
