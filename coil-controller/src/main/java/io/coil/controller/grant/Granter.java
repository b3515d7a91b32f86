package io.coil.controller.grant;

import io.coil.controller.view.ClusterView;
import io.coil.controller.view.LeakCandidates;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.controller.view.SeenRequest;
import io.coil.controller.work.KeyedWork;
import io.coil.core.grant.AfterCreate;
import io.coil.core.grant.FailReason;
import io.coil.core.grant.GrantDecision;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolRules;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Selection;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One request, from open to answered: the controller's five steps of the block protocol. Every look
 * begins with live reads and may end anywhere; the next look, ours or another leader's, goes on
 * from what is in the API. At most three writes a grant: the intent, the block, the condition.
 * Before each of them it is asked whether this is still the leader.
 */
public final class Granter implements KeyedWork.Look<String> {
    /** No Node of that name: the rule for stray requests ends it, or the Node comes. */
    private static final Duration WITHOUT_NODE = Duration.ofSeconds(30);

    private final KubeApi api;
    private final ClusterView view;
    private final Ledger ledger;
    private final LivePools pools;
    private final Exhaustion exhaustion;
    private final OverlapGuard overlaps;
    private final Promises promises = new Promises();
    private final Answers answers;
    private final Timeline timeline;
    private final BooleanSupplier leading;
    private final GrantLog log;

    /** A block that was chosen for a request, and the pool as it was read then. */
    private record Chosen(AddressPool pool, String block, int index, BlockRange range) {}

    public Granter(
            KubeApi api,
            Timeline timeline,
            ClusterView view,
            Ledger ledger,
            LiveBlocks blocks,
            BooleanSupplier leading,
            GrantLog log) {
        this.api = api;
        this.timeline = timeline;
        this.view = view;
        this.ledger = ledger;
        this.pools = new LivePools(api, timeline);
        this.exhaustion = new Exhaustion(timeline, blocks);
        this.overlaps = new OverlapGuard(api, view, ledger, blocks);
        this.answers = new Answers(timeline);
        this.leading = leading;
        this.log = log;
    }

    /** Whether something is kept for a request of that name until it is answered or gone. */
    public boolean hasPromised(String name) {
        return promises.has(name);
    }

    /** All such names: a look at each that names no request any more ends what is kept. */
    public List<String> promised() {
        return promises.names();
    }

    /**
     * Before the first grant of a term: what the leader before has intended, and perhaps still
     * makes, is promised, so that nobody else is given it.
     */
    public void rememberIntents() {
        for (BlockRequest request : api.list(Kinds.REQUESTS, Selection.ALL).items()) {
            SeenRequest seen = SeenRequest.of(request);
            SeenPool pool = seen == null ? null : view.pool(seen.pool());
            if (pool != null && pool.spec() != null && request.open() && request.intent() != null) {
                promises.promised(Meta.name(request.metadata()), Meta.uid(request.metadata()));
                ledger.remember(Asked.request(request), pool.spec());
            }
        }
    }

    @Override
    public @Nullable Duration at(String name) throws InterruptedException {
        BlockRequest request = open(name);
        if (request == null) {
            return null;
        }
        if (!nodeIsThere(request.spec().nodeName())) {
            return WITHOUT_NODE;
        }
        AddressPool pool = pool(request.spec().poolName());
        return switch (ledger.decide(Asked.request(request), Asked.pool(pool))) {
            case GrantDecision.RecordIntent(String block, int index, BlockRange range) -> {
                promises.promised(name, Meta.uid(request.metadata()));
                requireLeading();
                BlockRequest intended =
                        api.replaceStatus(Kinds.REQUESTS, Answers.intends(request, block));
                yield finish(intended, new Chosen(there(pool), block, index, range));
            }
            case GrantDecision.FinishIntent(String block, int index, BlockRange range) -> {
                promises.promised(name, Meta.uid(request.metadata()));
                yield finish(request, new Chosen(there(pool), block, index, range));
            }
            case GrantDecision.Fail(FailReason reason, String message) ->
                    fail(request, reason, message);
            case GrantDecision.Nothing nothing -> null;
        };
    }

    /** The request of that name if it is open, read live; what was kept for another one ends. */
    private @Nullable BlockRequest open(String name) {
        BlockRequest open =
                api.get(Kinds.REQUESTS, null, name)
                        .filter(r -> r.open() && !Meta.beingDeleted(r.metadata()))
                        .orElse(null);
        String promised = promises.uidOf(name);
        if (promised != null && (open == null || !Meta.uid(open.metadata()).equals(promised))) {
            forget(name, promised);
        }
        if (open == null) {
            promises.notExhausted(name);
        }
        return open;
    }

    private @Nullable Duration finish(BlockRequest request, Chosen chosen) {
        if (create(request, chosen)
                instanceof AfterCreate.Fail(FailReason reason, String message)) {
            return fail(request, reason, message);
        }
        requireLeading();
        try {
            BlockRequest _ =
                    api.replaceStatus(Kinds.REQUESTS, answers.complete(request, chosen.block()));
            log.granted(request, chosen.block(), waited(request));
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
            // The block stays: it has its node's label, the agent adopts it or gives it back.
            log.requestIsGone(request, chosen.block());
        }
        done(request);
        return null;
    }

    /**
     * To the second, for that is how the API server says it; it counts the time without a leader.
     */
    private Duration waited(BlockRequest request) {
        OffsetDateTime made = request.metadata().getCreationTimestamp();
        return made == null ? Duration.ZERO : Duration.between(made.toInstant(), timeline.now());
    }

    private AfterCreate create(BlockRequest request, Chosen chosen) {
        String uid = Meta.uid(request.metadata());
        Optional<String> other =
                overlaps.inTheWay(uid, request.spec().poolName(), chosen.block(), chosen.range());
        if (other.isPresent()) {
            return AfterCreate.inTheWay(chosen.block(), chosen.range(), other.get());
        }
        requireLeading();
        try {
            AddressBlock created =
                    api.create(
                            Kinds.BLOCKS,
                            NewBlock.of(
                                    chosen.block(),
                                    chosen.index(),
                                    chosen.range(),
                                    chosen.pool(),
                                    request));
            ledger.enter(SeenBlock.of(created));
            return new AfterCreate.Complete();
        } catch (ApiFailure.Rejected e) {
            log.refused(request, chosen.block(), e.getMessage());
            throw e;
        } catch (ApiFailure.Stale e) {
            if (!e.alreadyExists()) {
                throw e;
            }
        }
        AddressBlock existing =
                api.get(Kinds.BLOCKS, null, chosen.block())
                        .orElseThrow(() -> stale("block %s has gone".formatted(chosen.block())));
        ledger.enter(SeenBlock.of(existing));
        return AfterCreate.decide(
                chosen.block(), existing.request(), Meta.beingDeleted(existing.metadata()), uid);
    }

    private @Nullable Duration fail(BlockRequest request, FailReason reason, String message) {
        String sentence = message;
        if (reason == FailReason.EXHAUSTED || reason == FailReason.NODE_LIMIT) {
            String pool = request.spec().poolName();
            Duration again =
                    exhaustion.check(
                            pool,
                            promises.exhaustedSince(
                                    Meta.name(request.metadata()),
                                    Meta.uid(request.metadata()),
                                    timeline.nanos()));
            if (again != null) {
                return again;
            }
            sentence = message + ", " + LeakCandidates.sentence(view, pool);
        }
        requireLeading();
        try {
            BlockRequest _ =
                    api.replaceStatus(Kinds.REQUESTS, answers.failed(request, reason, sentence));
            log.failed(request, reason, sentence);
        } catch (ApiFailure.Stale e) {
            if (!e.notFound()) {
                throw e;
            }
        }
        done(request);
        return null;
    }

    private void done(BlockRequest request) {
        String uid = Meta.uid(request.metadata());
        promises.end(Meta.name(request.metadata()), uid);
        ledger.release(uid);
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
        ledger.release(uid);
        promises.end(name, uid);
    }

    /** A leader that was held up must not go on: another one may have chosen the same by now. */
    private void requireLeading() {
        if (!leading.getAsBoolean()) {
            throw stale("this controller does not lead any more");
        }
    }

    private static ApiFailure.Stale stale(String why) {
        return new ApiFailure.Stale(409, "Conflict", why);
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
        return Objects.requireNonNull(pool, "granted from a pool that is not there");
    }
}
