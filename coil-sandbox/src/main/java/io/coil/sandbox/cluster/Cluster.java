package io.coil.sandbox.cluster;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeAddress;
import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cluster's moving parts around one API server: scheduler, workload controllers, and a machine
 * with a kubelet for each Node that there is.
 *
 * <p>A Node that somebody creates gets a machine; a machine outlives its Node, as a real one does.
 */
public final class Cluster {

    /** Makes a machine; the address is its Node's InternalIP, null for a new one. */
    @FunctionalInterface
    public interface Machines {
        Machine make(String name, @Nullable String internalIp);
    }

    private final KubeApi api;
    private final PodCalls calls;
    private final Timeline timeline;
    private final Machines machines;
    private final Map<String, Program.Starter> programs;
    private final KubeletSettings settings;

    private final Reflector<V1Pod, V1Pod> pods;
    private final List<Reflector<?, ?>> others = new ArrayList<>();
    private final List<Timeline.Signal> workloads = new CopyOnWriteArrayList<>();
    private final Timeline.Signal scheduling;
    private final Timeline.Signal stranding;
    private final Timeline.Signal nodesChanged;
    private final List<Timeline.Running> tasks = new CopyOnWriteArrayList<>();

    /** Added to by the task that looks at Nodes, and before it starts. */
    private final Map<String, Running> kubelets = new ConcurrentHashMap<>();

    private record Running(Kubelet kubelet, Timeline.Signal changed) {}

    public Cluster(
            KubeApi api,
            PodCalls calls,
            Timeline timeline,
            Machines machines,
            Map<String, Program.Starter> programs,
            KubeletSettings settings) {
        this.api = api;
        this.calls = calls;
        this.timeline = timeline;
        this.machines = machines;
        this.programs = Map.copyOf(programs);
        this.settings = settings;
        this.scheduling = timeline.signal();
        this.stranding = timeline.signal();
        this.nodesChanged = timeline.signal();
        this.pods =
                new Reflector<>(api, timeline, Kinds.PODS, Selection.ALL, p -> p, new PodChanges());
        wake(Kinds.NODES, this::nodesMoved);
        wake(Kinds.DEPLOYMENTS, this::workloadsMoved);
        wake(Kinds.DAEMON_SETS, this::workloadsMoved);
        wake(ReplicaSets.KIND, this::workloadsMoved);
    }

    /** Starts everything; registers the named nodes first, {@code controlPlane} being one. */
    public void start(String controlPlane, Collection<String> workers) {
        register(controlPlane, true);
        workers.forEach(w -> register(w, false));
        pods.start();
        others.forEach(Reflector::start);
        tasks.add(new Scheduler(api, calls, timeline).start(scheduling));
        tasks.add(new StrandedPods(api, calls, timeline).start(stranding));
        tasks.add(new Deployments(api, timeline).start(workload()));
        tasks.add(new ReplicaSets(api, timeline).start(workload()));
        tasks.add(new DaemonSets(api, timeline).start(workload()));
        tasks.add(
                Rounds.start(
                        timeline,
                        "machines",
                        nodesChanged,
                        Duration.ofSeconds(10),
                        this::machinesForNodes));
    }

    /** Ends everything where it stands, programs included; the API is not told. */
    public void stop() throws InterruptedException {
        tasks.forEach(Timeline.Running::stop);
        pods.stop();
        others.forEach(Reflector::stop);
        for (Running running : kubelets.values()) {
            running.kubelet().powerOff();
        }
    }

    /** Container ids that have an address, by node, as the kubelets know it. */
    public Map<String, List<String>> liveContainers() {
        Map<String, List<String>> live = new TreeMap<>();
        kubelets.forEach((node, k) -> live.put(node, k.kubelet().liveContainers()));
        return live;
    }

    private void register(String name, boolean controlPlane) {
        V1Node node = api.get(Kinds.NODES, null, name).orElse(null);
        Machine machine = machines.make(name, node == null ? null : internalIp(node));
        NodeRegistration registration =
                new NodeRegistration(api, timeline, machine, settings.heartbeat());
        registration.register(controlPlane);
        tasks.add(registration.start());
        Kubelet kubelet =
                new Kubelet(api, calls, timeline, machine, programs, settings, () -> podsOf(name));
        Timeline.Signal changed = timeline.signal();
        kubelets.put(name, new Running(kubelet, changed));
        tasks.add(kubelet.start(changed));
    }

    private void machinesForNodes() {
        for (V1Node node : api.list(Kinds.NODES, Selection.ALL).items()) {
            String name = Meta.name(node.getMetadata());
            if (!kubelets.containsKey(name)) {
                register(name, false);
            }
        }
    }

    private @Nullable Collection<V1Pod> podsOf(String node) {
        if (!pods.synced()) {
            return null;
        }
        return pods.image().values().stream().filter(p -> node.equals(Pods.node(p))).toList();
    }

    private static @Nullable String internalIp(V1Node node) {
        if (node.getStatus() == null || node.getStatus().getAddresses() == null) {
            return null;
        }
        return node.getStatus().getAddresses().stream()
                .filter(a -> "InternalIP".equals(a.getType()))
                .map(V1NodeAddress::getAddress)
                .findFirst()
                .orElse(null);
    }

    private Timeline.Signal workload() {
        Timeline.Signal signal = timeline.signal();
        workloads.add(signal);
        return signal;
    }

    private <T extends KubernetesObject> void wake(Kind<T> kind, Runnable action) {
        others.add(
                new Reflector<T, String>(
                        api,
                        timeline,
                        kind,
                        Selection.ALL,
                        o -> Meta.version(o.getMetadata()),
                        Changes.run(action)));
    }

    private void workloadsMoved() {
        workloads.forEach(Timeline.Signal::raise);
    }

    private void nodesMoved() {
        nodesChanged.raise();
        scheduling.raise();
        stranding.raise();
        workloadsMoved();
    }

    private void podMoved(V1Pod pod) {
        String node = Pods.node(pod);
        if (node == null) {
            scheduling.raise();
        } else {
            Running running = kubelets.get(node);
            if (running != null) {
                running.changed().raise();
            }
        }
        workloadsMoved();
    }

    private final class PodChanges implements Changes<V1Pod> {
        @Override
        public void upserted(ObjectKey key, @Nullable V1Pod old, V1Pod now) {
            podMoved(now);
        }

        @Override
        public void removed(ObjectKey key, V1Pod old) {
            podMoved(old);
        }

        @Override
        public void listed() {
            scheduling.raise();
            workloadsMoved();
            kubelets.values().forEach(k -> k.changed().raise());
        }
    }
}
