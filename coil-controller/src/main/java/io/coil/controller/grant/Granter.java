package io.coil.controller.grant;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.controller.work.KeyedWork;
import io.coil.core.grant.AfterCreate;
import io.coil.core.grant.FailReason;
import io.coil.core.grant.GrantDecision;
import io.coil.core.grant.PoolView;
import io.coil.core.grant.RequestView;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolRules;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One request, from open to answered: the controller's five steps of the block protocol. Every look
 * begins with live reads and may end anywhere; the next look, ours or another leader's, goes on
 * from what is in the API. At most three writes a grant: the intent, the block, the condition.
 */
public final class Granter implements KeyedWork.Look<String> {
    private static final Logger LOG = LoggerFactory.getLogger(Granter.class);

    /** No Node of that name: the rule for stray requests ends it, or the Node comes. */
    private static final Duration WITHOUT_NODE = Duration.ofSeconds(30);

    private final KubeApi api;
    private final ClusterView view;
    private final Ledger ledger;
    private final LivePools pools;
    private final Exhaustion exhaustion;
    private final Answers answers;
    private final Timeline timeline;
    private final GrantLog log;

    /** UID of a request that was promised a block, by its name: to end the promise. */
    private final Map<String, String> promises = new ConcurrentHashMap<>();

    /** By name of the request for which a pool, or the node's share of it, was found exhausted. */
    private final Map<String, Exhausted> exhausted = new ConcurrentHashMap<>();

    private record Exhausted(String uid, long since) {}

    public Granter(
            KubeApi api,
            Timeline timeline,
            ClusterView view,
            Ledger ledger,
            LiveBlocks blocks,
            GrantLog log) {
        this.api = api;
        this.timeline = timeline;
        this.view = view;
        this.ledger = ledger;
        this.pools = new LivePools(api, timeline);
        this.exhaustion = new Exhaustion(timeline, blocks);
        this.answers = new Answers(timeline);
        this.log = log;
    }

    /** Whether something is kept for a request of that name until it is answered or gone. */
    public boolean hasPromised(String name) {
        return promises.containsKey(name) || exhausted.containsKey(name);
    }

    @Override
    public @Nullable Duration at(String name) throws InterruptedException {
        Optional<BlockRequest> read = api.get(Kinds.REQUESTS, null, name);
        String promised = promises.get(name);
        Optional<BlockRequest> open =
                read.filter(r -> r.open() && !Meta.beingDeleted(r.metadata()));
        if (promised != null
                && open.filter(r -> Meta.uid(r.metadata()).equals(promised)).isEmpty()) {
            forget(name, promised);
        }
        if (open.isEmpty()) {
            exhausted.remove(name);
            return null;
        }
        BlockRequest request = open.get();
        if (!nodeIsThere(request.spec().nodeName())) {
            return WITHOUT_NODE;
        }
        AddressPool pool = pool(request.spec().poolName());
        RequestView asked = asked(request);
        return switch (ledger.decide(asked, poolView(pool))) {
            case GrantDecision.RecordIntent(String block, int index, BlockRange range) -> {
                promises.put(name, asked.uid());
                BlockRequest intended =
                        api.replaceStatus(Kinds.REQUESTS, Answers.intends(request, block));
                yield finish(intended, there(pool), block, index, range);
            }
            case GrantDecision.FinishIntent(String block, int index, BlockRange range) -> {
                promises.put(name, asked.uid());
                yield finish(request, there(pool), block, index, range);
            }
            case GrantDecision.Fail(FailReason reason, String message) ->
                    fail(request, reason, message);
            case GrantDecision.Nothing nothing -> null;
        };
    }

    private @Nullable Duration finish(
            BlockRequest request, AddressPool pool, String block, int index, BlockRange range) {
        String uid = Meta.uid(request.metadata());
        AfterCreate after = create(request, pool, block, index, range);
        if (after instanceof AfterCreate.Fail(FailReason reason, String message)) {
            return fail(request, reason, message);
        }
        try {
            api.replaceStatus(Kinds.REQUESTS, answers.complete(request, block));
            log.granted(request, block);
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
            // The block stays: it has its node's label, the agent adopts it or gives it back.
            log.requestIsGone(request, block);
        }
        done(Meta.name(request.metadata()), uid);
        return null;
    }

    private AfterCreate create(
            BlockRequest request, AddressPool pool, String block, int index, BlockRange range) {
        try {
            AddressBlock created =
                    api.create(Kinds.BLOCKS, NewBlock.of(block, index, range, pool, request));
            ledger.enter(SeenBlock.of(created));
            return new AfterCreate.Complete();
        } catch (ApiFailure.Stale e) {
            if (!e.alreadyExists()) {
                throw e;
            }
        }
        AddressBlock existing =
                api.get(Kinds.BLOCKS, null, block)
                        .orElseThrow(
                                () ->
                                        new ApiFailure.Stale(
                                                409, "Conflict", "block " + block + " has gone"));
        ledger.enter(SeenBlock.of(existing));
        return AfterCreate.decide(
                block,
                existing.request(),
                Meta.beingDeleted(existing.metadata()),
                Meta.uid(request.metadata()));
    }

    private @Nullable Duration fail(BlockRequest request, FailReason reason, String message) {
        String uid = Meta.uid(request.metadata());
        String sentence = message;
        if (reason == FailReason.EXHAUSTED || reason == FailReason.NODE_LIMIT) {
            String pool = request.spec().poolName();
            Duration again = exhaustion.check(pool, exhaustedSince(request));
            if (again != null) {
                return again;
            }
            sentence = message + ", " + LeakCandidates.sentence(view, pool);
        }
        try {
            api.replaceStatus(Kinds.REQUESTS, answers.failed(request, reason, sentence));
            log.failed(request, reason, sentence);
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
        }
        done(Meta.name(request.metadata()), uid);
        return null;
    }

    private void done(String name, String uid) {
        promises.remove(name, uid);
        exhausted.remove(name);
        ledger.release(uid);
    }

    private long exhaustedSince(BlockRequest request) {
        String uid = Meta.uid(request.metadata());
        return exhausted
                .compute(
                        Meta.name(request.metadata()),
                        (name, known) ->
                                known != null && known.uid().equals(uid)
                                        ? known
                                        : new Exhausted(uid, timeline.nanos()))
                .since();
    }

    /**
     * The request that was promised a block is gone, or answered by another leader. Its block may
     * have been made all the same, by a create whose reply was lost: the ledger must know of it
     * before the promise ends.
     */
    private void forget(String name, String uid) {
        ledger.promised(uid)
                .flatMap(block -> api.get(Kinds.BLOCKS, null, block))
                .ifPresent(block -> ledger.enter(SeenBlock.of(block)));
        LOG.atDebug().addKeyValue("request", name).log("request is no longer ours to answer");
        done(name, uid);
    }

    /** The cache may not know a new Node yet; that there is none is read live. */
    private boolean nodeIsThere(String node) {
        return node.length() > PoolRules.LABEL_LIMIT
                || view.node(node) != null
                || api.get(Kinds.NODES, null, node).isPresent();
    }

    private @Nullable AddressPool pool(String name) throws InterruptedException {
        return name.length() > PoolRules.LABEL_LIMIT ? null : pools.read(name).orElse(null);
    }

    private static AddressPool there(@Nullable AddressPool pool) {
        if (pool == null) {
            throw new IllegalStateException("granted from a pool that is not there");
        }
        return pool;
    }

    private static RequestView asked(BlockRequest request) {
        return new RequestView(
                Meta.uid(request.metadata()),
                request.spec().nodeName(),
                request.spec().poolName(),
                request.intent(),
                Meta.beingDeleted(request.metadata()),
                !request.open());
    }

    private static @Nullable PoolView poolView(@Nullable AddressPool pool) {
        if (pool == null) {
            return null;
        }
        SeenPool seen = SeenPool.of(pool);
        return new PoolView(
                seen.uid(),
                seen.beingDeleted(),
                seen.switches().drain(),
                seen.reading(),
                seen.switches().maxBlocksPerNode());
    }
}
