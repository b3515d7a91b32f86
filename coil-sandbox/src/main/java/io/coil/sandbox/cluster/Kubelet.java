package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The kubelet of one machine: a worker for each pod of its node, and the node's heartbeat. */
public final class Kubelet {
    private static final Duration ANYWAY = Duration.ofSeconds(10);

    private final KubeApi api;
    private final PodCalls calls;
    private final Timeline timeline;
    private final Machine machine;
    private final Map<String, Program.Starter> programs;
    private final KubeletSettings settings;
    private final PodEvents events;
    private final Supplier<@Nullable Collection<V1Pod>> pods;

    /** By the pod's UID. Written by the kubelet's task alone. */
    private final Map<String, Work> workers = new ConcurrentHashMap<>();

    private record Work(PodWorker worker, Timeline.Running task) {}

    /**
     * @param programs by the value of a pod's component label
     * @param pods of this node, as a watch shows them; null before the first list
     */
    public Kubelet(
            KubeApi api,
            PodCalls calls,
            Timeline timeline,
            Machine machine,
            Map<String, Program.Starter> programs,
            KubeletSettings settings,
            Supplier<@Nullable Collection<V1Pod>> pods) {
        this.api = api;
        this.calls = calls;
        this.timeline = timeline;
        this.machine = machine;
        this.programs = Map.copyOf(programs);
        this.settings = settings;
        this.pods = pods;
        this.events = new PodEvents(api, timeline, machine.name());
    }

    /** Runs until stopped; {@code changed} is raised when a pod may have changed. */
    Timeline.Running start(Timeline.Signal changed) {
        return Rounds.start(timeline, "kubelet " + machine.name(), changed, ANYWAY, this::look);
    }

    private void look() {
        Collection<V1Pod> ours = pods.get();
        if (ours == null) {
            return;
        }
        Map<String, V1Pod> present = new HashMap<>();
        ours.forEach(p -> present.put(Meta.uid(p.getMetadata()), p));
        present.forEach(
                (uid, pod) -> {
                    Work work = workers.get(uid);
                    if (work == null) {
                        workers.put(uid, begin(pod));
                    } else {
                        work.worker().seen(pod);
                    }
                });
        workers.forEach(
                (uid, work) -> {
                    if (!present.containsKey(uid)) {
                        work.worker().seen(null);
                        if (!work.task().isAlive()) {
                            workers.remove(uid);
                        }
                    }
                });
    }

    private Work begin(V1Pod pod) {
        PodWorker worker = new PodWorker(this, timeline, pod);
        return new Work(worker, timeline.start("pod " + Pods.title(pod), worker::run));
    }

    /** Container ids that have an address as far as this kubelet knows. */
    public List<String> liveContainers() {
        return workers.values().stream()
                .map(w -> w.worker().liveContainer())
                .filter(Objects::nonNull)
                .toList();
    }

    /** Ends all work at once, without a call to anybody. */
    public void powerOff() throws InterruptedException {
        for (Work work : workers.values()) {
            work.task().stop();
        }
        for (Work work : workers.values()) {
            work.task().awaitEnd(Duration.ofSeconds(5));
            work.worker().powerOff();
        }
        workers.clear();
    }

    Machine machine() {
        return machine;
    }

    PodCalls calls() {
        return calls;
    }

    KubeletSettings settings() {
        return settings;
    }

    Program.@Nullable Starter starter(V1Pod pod) {
        return "kube-system".equals(pod.getMetadata().getNamespace())
                ? programs.get(Pods.component(pod))
                : null;
    }

    void warn(V1Pod pod, String reason, String message) {
        events.warn(pod, reason, message);
    }

    /** Writes the status if it says something new; says whether it stands there now. */
    boolean writeStatus(V1Pod pod, PodStatusText text) {
        for (int attempt = 0; attempt < 5; attempt++) {
            try {
                V1Pod now =
                        api.get(
                                        Kinds.PODS,
                                        pod.getMetadata().getNamespace(),
                                        Meta.name(pod.getMetadata()))
                                .orElse(null);
                if (now == null
                        || !Meta.uid(now.getMetadata()).equals(Meta.uid(pod.getMetadata()))) {
                    return true;
                }
                V1PodStatus status =
                        text.on(
                                now,
                                machine.internalIp(),
                                timeline.now()
                                        .atOffset(ZoneOffset.UTC)
                                        .truncatedTo(ChronoUnit.SECONDS));
                if (!status.equals(now.getStatus())) {
                    api.replaceStatus(Kinds.PODS, now.status(status));
                }
                return true;
            } catch (ApiFailure.Stale e) {
                // Changed in between: read it again.
            } catch (ApiFailure e) {
                return false;
            }
        }
        return false;
    }
}
