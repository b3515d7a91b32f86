package io.coil.controller.garbage;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenNode;
import io.coil.controller.view.SeenRequest;
import io.coil.controller.work.KeyedWork;
import io.coil.core.garbage.Rule;
import io.coil.core.garbage.StrayRequest;
import io.coil.core.garbage.Trigger;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.RunItem;
import io.coil.kubernetes.time.Timeline;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Requests whose owner is not the Node of that name by UID, and those that are answered and that
 * nobody fetches. Deleted with the UID as precondition, after live reads of request and Node. Key:
 * the request's name.
 */
public final class StrayRequests implements KeyedWork.Look<String> {
    private static final Logger LOG = LoggerFactory.getLogger(StrayRequests.class);

    /** A Node may be made moments after its agent's request is seen. */
    private static final Duration RECHECK = Duration.ofSeconds(30);

    private final KubeApi api;
    private final ClusterView view;
    private final Timeline timeline;
    private final Modes modes;
    private final Duration fetchedWithin;

    /** When a request was first seen answered, by UID. */
    private final Map<String, Long> answeredSince = new ConcurrentHashMap<>();

    public StrayRequests(
            KubeApi api, ClusterView view, Timeline timeline, Modes modes, Duration fetchedWithin) {
        this.api = api;
        this.view = view;
        this.timeline = timeline;
        this.modes = modes;
        this.fetchedWithin = fetchedWithin;
    }

    /** What was found out about a request by live reads. */
    private record Finding(BlockRequest request, StrayRequest verdict, Duration answeredFor) {}

    public void gone(SeenRequest request) {
        answeredSince.remove(request.uid());
    }

    @Override
    public @Nullable Duration at(String name) {
        SeenRequest seen = view.request(name);
        if (seen == null || seen.beingDeleted()) {
            return null; // fetched; if the watch is late, a poll asks again
        }
        Finding finding = look(name);
        if (finding == null) {
            return null;
        }
        BlockRequest request = finding.request();
        if (finding.verdict().isStray()) {
            if (!modes.allow(Trigger.EVENT, request.spec().nodeName(), request.spec().poolName())) {
                return RECHECK;
            }
            delete(request, finding.verdict());
            return null;
        }
        return request.open() ? null : fetchedWithin.minus(finding.answeredFor());
    }

    /**
     * For a run: the item, if this request is stray now; deleted if {@code act}.
     *
     * @return null if it is not stray
     */
    public @Nullable RunItem collect(String name, @Nullable String uid, boolean act) {
        Finding finding = look(name);
        if (finding == null
                || !finding.verdict().isStray()
                || (uid != null && !uid.equals(Meta.uid(finding.request().metadata())))) {
            return null;
        }
        RunItem item = item(finding);
        if (!act) {
            return item;
        }
        try {
            return delete(finding.request(), finding.verdict())
                    ? item.with(RunItem.DONE, null)
                    : item.with(RunItem.NO_LONGER_TRUE, "gone already");
        } catch (ApiFailure e) {
            return item.with(RunItem.FAILED, e.getMessage());
        }
    }

    private @Nullable Finding look(String name) {
        Optional<BlockRequest> read = api.get(Kinds.REQUESTS, null, name);
        if (read.isEmpty() || Meta.beingDeleted(read.get().metadata())) {
            return null;
        }
        BlockRequest request = read.get();
        String uid = Meta.uid(request.metadata());
        Duration answeredFor = request.open() ? Duration.ZERO : answeredFor(uid);
        // The live read of the Node comes last: its word counts.
        String nodeUid =
                api.get(Kinds.NODES, null, request.spec().nodeName())
                        .map(n -> Meta.uid(n.getMetadata()))
                        .orElse(null);
        StrayRequest verdict =
                StrayRequest.decide(
                        owners(request), nodeUid, !request.open(), answeredFor, fetchedWithin);
        return new Finding(request, verdict, answeredFor);
    }

    private boolean delete(BlockRequest request, StrayRequest verdict) {
        String name = Meta.name(request.metadata());
        String uid = Meta.uid(request.metadata());
        try {
            api.delete(Kinds.REQUESTS, null, name, Preconditions.uid(uid));
        } catch (ApiFailure.Stale e) {
            if (e.notFound()) {
                return false;
            }
            throw e;
        }
        LOG.atInfo()
                .addKeyValue("request", name)
                .addKeyValue("rule", Rule.STRAY_REQUEST.text())
                .addKeyValue("why", verdict.evidence())
                .log("stray request deleted");
        return true;
    }

    private static RunItem item(Finding finding) {
        BlockRequest request = finding.request();
        return new RunItem(
                Rule.STRAY_REQUEST.text(),
                "Request",
                Meta.name(request.metadata()),
                Meta.uid(request.metadata()),
                request.intent(),
                request.spec().poolName(),
                request.spec().nodeName(),
                finding.verdict().evidence(),
                finding.answeredFor().toSeconds(),
                RunItem.PLANNED,
                null);
    }

    private static Set<String> owners(BlockRequest request) {
        if (request.metadata().getOwnerReferences() == null) {
            return Set.of();
        }
        return request.metadata().getOwnerReferences().stream()
                .filter(o -> o.getKind().equals("Node"))
                .map(V1OwnerReference::getUid)
                .collect(Collectors.toSet());
    }

    /**
     * When to look at a request, as far as the watches show; null: not. An answered one may be
     * fetched until its time is over, counted from the first time that we saw it answered.
     */
    public @Nullable Duration lookIn(SeenRequest request) {
        if (request.beingDeleted()) {
            return null;
        }
        SeenNode node = view.node(request.node());
        if (node == null || (request.owner() != null && !request.owner().equals(node.uid()))) {
            return Duration.ZERO;
        }
        if (request.open()) {
            return null;
        }
        Duration left = fetchedWithin.minus(answeredFor(request.uid()));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Duration answeredFor(String uid) {
        long since = answeredSince.computeIfAbsent(uid, u -> timeline.nanos());
        return Duration.ofNanos(timeline.nanos() - since);
    }
}
