package io.coil.controller.view;

import io.coil.kubernetes.api.Kind;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.time.Timeline;
import io.coil.kubernetes.watch.Changes;
import io.coil.kubernetes.watch.ObjectKey;
import io.coil.kubernetes.watch.Reflector;
import io.coil.kubernetes.watch.Sight;
import io.kubernetes.client.common.KubernetesObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What the watches show: pools, blocks, requests, nodes, runs, the agents' pods and reports. It
 * lives as long as the process, leader or not; whoever leads follows its changes.
 */
public final class ClusterView {
    private final Reflector<?, SeenPool> pools;
    private final Reflector<?, SeenBlock> blocks;
    private final Reflector<?, SeenRequest> requests;
    private final Reflector<?, SeenNode> nodes;
    private final Reflector<?, SeenRun> runs;
    private final Reflector<?, SeenUsage> usages;
    private final Reflector<?, SeenAgent> agents;
    private final ByLabel<SeenBlock> blocksByNode = new ByLabel<>();
    private final ByLabel<SeenBlock> blocksByPool = new ByLabel<>();
    private final ByLabel<SeenAgent> agentsByNode = new ByLabel<>();
    private volatile @Nullable ClusterChanges follower;

    public ClusterView(KubeApi api, Timeline timeline) {
        pools = of(api, timeline, Kinds.POOLS, SeenPool::of, (old, now) -> told().pool(old, now));
        blocks = of(api, timeline, Kinds.BLOCKS, SeenBlock::of, this::blockChanged);
        requests =
                of(
                        api,
                        timeline,
                        Kinds.REQUESTS,
                        SeenRequest::of,
                        (old, now) -> told().request(old, now));
        nodes = of(api, timeline, Kinds.NODES, SeenNode::of, (old, now) -> told().node(old, now));
        runs =
                of(
                        api,
                        timeline,
                        Kinds.COLLECTIONS,
                        SeenRun::of,
                        (old, now) -> told().run(old, now));
        usages =
                of(
                        api,
                        timeline,
                        Kinds.USAGES,
                        SeenUsage::of,
                        (old, now) -> told().usage(old, now));
        agents =
                new Reflector<>(
                        api,
                        timeline,
                        Kinds.PODS,
                        new Selection(null, SeenAgent.LABELS, null),
                        SeenAgent::of,
                        changes(this::agentChanged));
    }

    private void blockChanged(@Nullable SeenBlock old, @Nullable SeenBlock now) {
        String name = Objects.requireNonNull(now == null ? old : now).name();
        blocksByNode.changed(
                name, old == null ? null : old.node(), now == null ? null : now.node(), now);
        blocksByPool.changed(
                name, old == null ? null : old.pool(), now == null ? null : now.pool(), now);
        told().block(old, now);
    }

    private void agentChanged(@Nullable SeenAgent old, @Nullable SeenAgent now) {
        agentsByNode.changed(
                Objects.requireNonNull(now == null ? old : now).name(),
                old == null ? null : old.node(),
                now == null ? null : now.node(),
                now);
        told().agent(old, now);
    }

    private static <T extends KubernetesObject, V> Reflector<T, V> of(
            KubeApi api,
            Timeline timeline,
            Kind<T> kind,
            Function<T, V> keep,
            BiConsumer<@Nullable V, @Nullable V> changed) {
        return new Reflector<>(api, timeline, kind, Selection.ALL, keep, changes(changed));
    }

    private static <V> Changes<V> changes(BiConsumer<@Nullable V, @Nullable V> changed) {
        return new Changes<>() {
            @Override
            public void upserted(ObjectKey key, @Nullable V old, V now) {
                changed.accept(old, now);
            }

            @Override
            public void removed(ObjectKey key, V old) {
                changed.accept(old, null);
            }
        };
    }

    public void start() {
        all().forEach(Reflector::start);
    }

    public void stop() {
        all().forEach(Reflector::stop);
    }

    /** Who hears of changes from now on; null: nobody. What is there already is not told. */
    public void follow(@Nullable ClusterChanges changes) {
        follower = changes;
    }

    public boolean synced() {
        return all().stream().allMatch(Reflector::synced);
    }

    public boolean awaitSynced(Duration max) throws InterruptedException {
        for (Reflector<?, ?> reflector : all()) {
            if (!reflector.awaitSynced(max)) {
                return false;
            }
        }
        return true;
    }

    /** The longest time that one of the watches has been out of sight. */
    public Duration blindFor() {
        return all().stream()
                .map(Reflector::sight)
                .map(Sight::blindFor)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** How long the watch of the requests has not said a word, not even that nothing changed. */
    public Duration requestsSilentFor() {
        return requests.sight().silentFor();
    }

    public Collection<SeenPool> pools() {
        return pools.image().values();
    }

    public @Nullable SeenPool pool(String name) {
        return pools.get(name);
    }

    public Collection<SeenBlock> blocks() {
        return blocks.image().values();
    }

    /** Those whose label names that node, in the order of their names. */
    public Collection<SeenBlock> blocksOf(String node) {
        return blocksByNode.of(node);
    }

    /** Those whose label names that pool, in the order of their names. */
    public Collection<SeenBlock> blocksOfPool(String pool) {
        return blocksByPool.of(pool);
    }

    /** The nodes that blocks' labels name, whether or not there are Nodes of those names. */
    public Collection<String> nodesWithBlocks() {
        return blocksByNode.labels();
    }

    public @Nullable SeenBlock block(String name) {
        return blocks.get(name);
    }

    public Collection<SeenRequest> requests() {
        return requests.image().values();
    }

    public @Nullable SeenRequest request(String name) {
        return requests.get(name);
    }

    public Collection<SeenNode> nodes() {
        return nodes.image().values();
    }

    public @Nullable SeenNode node(String name) {
        return nodes.get(name);
    }

    public Collection<SeenRun> runs() {
        return runs.image().values();
    }

    public Collection<SeenUsage> usages() {
        return usages.image().values();
    }

    public @Nullable SeenUsage usage(String node) {
        return usages.get(node);
    }

    /** Pods of our agents. */
    public Collection<SeenAgent> agents() {
        return agents.image().values();
    }

    public Collection<SeenAgent> agentsOf(String node) {
        return agentsByNode.of(node);
    }

    private ClusterChanges told() {
        ClusterChanges changes = follower;
        return changes == null ? ClusterChanges.NOBODY : changes;
    }

    private List<Reflector<?, ?>> all() {
        return List.of(pools, blocks, requests, nodes, runs, usages, agents);
    }
}
