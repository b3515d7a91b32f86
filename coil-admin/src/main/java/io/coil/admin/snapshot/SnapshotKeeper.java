package io.coil.admin.snapshot;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.GarbageCollection;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Watches the cluster and keeps the image of it that everything is shown from. After a change a new
 * image is made, at most every 300 ms; without one every 5 s, because graces pass.
 */
public final class SnapshotKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotKeeper.class);
    private static final Duration SETTLE = Duration.ofMillis(300);
    private static final Duration WITHOUT_CHANGE = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(25);

    private final Timeline timeline;
    private final Rules rules;
    private final Supplier<Map<String, String>> namespaces;
    private final Timeline.Signal changed;
    private final Pulse pulse;
    private final Reflector<AddressPool, AddressPool> pools;
    private final Reflector<AddressBlock, AddressBlock> blocks;
    private final Reflector<BlockRequest, BlockRequest> requests;
    private final Reflector<NodeBlockUsage, NodeBlockUsage> usages;
    private final Reflector<GarbageCollection, GarbageCollection> runs;
    private final Reflector<V1Node, Observed.Node> nodes;
    private final Reflector<V1Pod, Observed.Pod> pods;
    private final List<Reflector<?, ?>> all;
    private final AtomicReference<@Nullable Snapshot> image = new AtomicReference<>();
    private volatile Timeline.@Nullable Running task;
    private long completeSince;

    /**
     * @param namespaces pool by namespace, of namespaces that name one; looked at for each image
     */
    public SnapshotKeeper(
            KubeApi api, Timeline timeline, Rules rules, Supplier<Map<String, String>> namespaces) {
        this.timeline = timeline;
        this.rules = rules;
        this.namespaces = namespaces;
        this.changed = timeline.signal();
        this.pulse = new Pulse(api, timeline);
        this.pools = reflector(api, Kinds.POOLS);
        this.blocks = reflector(api, Kinds.BLOCKS);
        this.requests = reflector(api, Kinds.REQUESTS);
        this.usages = reflector(api, Kinds.USAGES);
        this.runs = reflector(api, Kinds.COLLECTIONS);
        this.nodes =
                new Reflector<>(
                        api,
                        timeline,
                        Kinds.NODES,
                        Selection.ALL,
                        Kept::node,
                        Changes.raise(changed));
        this.pods =
                new Reflector<>(
                        api,
                        timeline,
                        Kinds.PODS,
                        Selection.ALL,
                        Kept::pod,
                        Changes.raise(changed));
        this.all = List.of(pools, blocks, requests, usages, runs, nodes, pods);
    }

    private <T extends KubernetesObject> Reflector<T, T> reflector(KubeApi api, Kind<T> kind) {
        return new Reflector<>(
                api, timeline, kind, Selection.ALL, Kept::whole, Changes.raise(changed));
    }

    public void start() {
        all.forEach(Reflector::start);
        pulse.start();
        task = timeline.start("snapshot", this::run);
    }

    public void stop() {
        Timeline.Running running = task;
        if (running != null) {
            running.stop();
        }
        pulse.stop();
        all.forEach(Reflector::stop);
    }

    /** Something that the watches do not see has changed, e.g. a namespace. */
    public void look() {
        changed.raise();
    }

    /** Empty until everything has been read once. */
    public Optional<Current> current() {
        Snapshot snapshot = image.get();
        if (snapshot == null) {
            return Optional.empty();
        }
        Duration age = pulse.age();
        for (Reflector<?, ?> reflector : all) {
            Duration blind = reflector.sight().blindFor();
            age = blind.compareTo(age) > 0 ? blind : age;
        }
        return Optional.of(
                new Current(snapshot, timeline.now().minus(age), age, pulse.controllerLeads()));
    }

    /** Waits until the image shows what was asked for; false if it did not in {@code max}. */
    public boolean await(Predicate<Snapshot> shown, Duration max) throws InterruptedException {
        long start = timeline.nanos();
        while (true) {
            Snapshot snapshot = image.get();
            if (snapshot != null && shown.test(snapshot)) {
                return true;
            }
            if (timeline.nanos() - start > max.toNanos()) {
                return false;
            }
            timeline.sleep(LOOK);
        }
    }

    private void run() throws InterruptedException {
        while (true) {
            if (all.stream().allMatch(Reflector::synced)) {
                rebuild();
            }
            timeline.sleep(image.get() == null ? LOOK : SETTLE);
            changed.await(image.get() == null ? SETTLE : WITHOUT_CHANGE);
        }
    }

    private void rebuild() {
        if (image.get() == null) {
            completeSince = timeline.nanos();
        }
        try {
            image.set(SnapshotBuilder.build(observed(), rules));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("no new image of the cluster; the old one stays");
        }
    }

    private Observed observed() {
        return new Observed(
                pools.image().values(),
                blocks.image().values(),
                requests.image().values(),
                nodes.image().values(),
                usages.image().values(),
                runs.image().values(),
                pods.image().values(),
                namespaces.get(),
                timeline.now(),
                Duration.ofNanos(timeline.nanos() - completeSince));
    }

    /** For health: why there is no image yet, or what the last failed look at the API said. */
    public Optional<ApiFailure> lastFailure() {
        return pulse.lastFailure();
    }
}
