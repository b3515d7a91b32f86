package io.coil.agent.report;

import io.coil.agent.AgentSettings;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.pool.PoolDirectory;
import io.coil.core.holdings.BlockView;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.NodeBlockUsage;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes what this node says of itself: at most one ordinary report in the interval, and only if
 * something changed; the result of a run at once.
 */
public final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final AgentSettings settings;
    private final KubeApi api;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final PoolDirectory pools;
    private final OffsetDateTime started;
    private final Timeline.Signal urgent;
    private final Map<String, NodeBlockUsage.Run> runs = new LinkedHashMap<>(); // guarded by this
    private volatile @Nullable NodeBlockUsage written;

    public Reporter(
            AgentSettings settings,
            KubeApi api,
            Timeline time,
            SharedHoldings holdings,
            PoolDirectory pools) {
        this.settings = settings;
        this.api = api;
        this.time = time;
        this.holdings = holdings;
        this.pools = pools;
        this.started = stamp(time.now());
        this.urgent = time.signal();
    }

    /** Reads the report of an earlier agent of this node; to be called once, before the others. */
    public void readLast() {
        api.get(Kinds.USAGES, null, settings.nodeName())
                .ifPresent(
                        last -> {
                            if (last.runs() != null) {
                                synchronized (this) {
                                    last.runs().forEach(r -> runs.put(r.uid(), r));
                                }
                            }
                        });
    }

    /** This node's parts in runs, those that are kept. */
    public synchronized List<NodeBlockUsage.Run> runs() {
        return List.copyOf(runs.values());
    }

    /** UIDs of the runs of which this node's part is done. */
    public synchronized List<String> finishedRuns() {
        return runs.values().stream()
                .filter(r -> r.state().equals(NodeBlockUsage.Run.FINISHED))
                .map(NodeBlockUsage.Run::uid)
                .toList();
    }

    /** This node's part in a run is done: say so at once. */
    public void finished(NodeBlockUsage.Run run) {
        synchronized (this) {
            runs.remove(run.uid());
            runs.put(run.uid(), run);
        }
        urgent.raise();
    }

    /** Results are kept for these runs, and the last one. */
    public synchronized void openRuns(Collection<String> uids) {
        String last = runs.isEmpty() ? "" : new ArrayList<>(runs.keySet()).getLast();
        runs.keySet().removeIf(uid -> !uids.contains(uid) && !uid.equals(last));
    }

    /** Something is worth a report before the interval is over: a return that has failed. */
    public void soon() {
        urgent.raise();
    }

    public void run() throws InterruptedException {
        while (true) {
            Duration wait = time.jitter(settings.reportInterval(), 0.1);
            try {
                write();
            } catch (ApiFailure e) {
                LOG.atDebug().addKeyValue("reason", e.getMessage()).log("report not written");
                wait = AGAIN;
            }
            urgent.await(wait);
        }
    }

    private void write() {
        NodeBlockUsage.Report report = report();
        List<NodeBlockUsage.Run> results;
        synchronized (this) {
            results = List.copyOf(runs.values());
        }
        NodeBlockUsage before = written;
        if (before != null && sameNews(before, report, results)) {
            return;
        }
        if (before == null) {
            before = api.get(Kinds.USAGES, null, settings.nodeName()).orElse(null);
        }
        try {
            written =
                    before == null
                            ? create(report, results)
                            : api.replace(Kinds.USAGES, usage(before.metadata(), report, results));
        } catch (ApiFailure.Stale e) {
            written = null; // somebody wrote or deleted it: read it again
            throw e;
        }
    }

    private @Nullable NodeBlockUsage create(
            NodeBlockUsage.Report report, List<NodeBlockUsage.Run> results) {
        Optional<String> nodeUid =
                api.get(Kinds.NODES, null, settings.nodeName()).map(n -> Meta.uid(n.getMetadata()));
        if (nodeUid.isEmpty()) {
            return null; // no Node, nobody to speak for
        }
        V1ObjectMeta meta =
                new V1ObjectMeta()
                        .name(settings.nodeName())
                        .addOwnerReferencesItem(
                                new V1OwnerReference()
                                        .apiVersion("v1")
                                        .kind("Node")
                                        .name(settings.nodeName())
                                        .uid(nodeUid.get()));
        return api.create(Kinds.USAGES, usage(meta, report, results));
    }

    private static NodeBlockUsage usage(
            V1ObjectMeta meta, NodeBlockUsage.Report report, List<NodeBlockUsage.Run> results) {
        return new NodeBlockUsage(
                Kinds.USAGES.apiVersion(), Kinds.USAGES.kind(), meta, report, results);
    }

    private NodeBlockUsage.Report report() {
        long nanos = time.nanos();
        Instant now = time.now();
        List<NodeBlockUsage.Block> blocks =
                holdings.with(h -> h.held().views(pools::terms, nanos)).stream()
                        .map(b -> block(b, now))
                        .toList();
        return new NodeBlockUsage.Report(
                settings.version(), stamp(now), started, pools.nodeMode().text(), blocks);
    }

    private static NodeBlockUsage.Block block(BlockView b, Instant now) {
        return new NodeBlockUsage.Block(
                b.id().name(),
                b.id().uid(),
                b.id().pool(),
                b.id().range().size().toString(),
                b.used(),
                b.bitmap(),
                b.empty() ? stamp(now.minusNanos(b.emptyForNanos())) : null,
                state(b));
    }

    /**
     * A return that goes as it should is over before anybody reads of it; one that has failed once
     * is news.
     */
    private static String state(BlockView b) {
        if (b.id().reserved()) {
            return "reserved";
        }
        return switch (b.state()) {
            case SERVING -> b.drainAsked() ? "drained" : b.spare() ? "spare" : "serving";
            case DRAINING -> "drained";
            case RETURNING, DELETING -> b.returnFailed() ? "returning" : "serving";
        };
    }

    private static boolean sameNews(
            NodeBlockUsage before, NodeBlockUsage.Report report, List<NodeBlockUsage.Run> results) {
        return before.report() != null
                && before.report().blocks() != null
                && before.report().agentVersion().equals(report.agentVersion())
                && report.collection() != null
                && report.collection().equals(before.report().collection())
                && news(before.report()).equals(news(report))
                && results.equals(before.runs() == null ? List.of() : before.runs());
    }

    private static List<List<Object>> news(NodeBlockUsage.Report report) {
        if (report.blocks() == null) {
            return List.of();
        }
        return report.blocks().stream()
                .map(
                        b ->
                                List.<Object>of(
                                        b.name(),
                                        String.valueOf(b.uid()),
                                        b.used(),
                                        String.valueOf(b.bitmap()),
                                        b.state()))
                .toList();
    }

    private static OffsetDateTime stamp(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
