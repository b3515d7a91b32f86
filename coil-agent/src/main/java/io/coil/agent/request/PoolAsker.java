package io.coil.agent.request;

import io.coil.agent.block.Adoption;
import io.coil.agent.kernel.KernelFailure;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks for a block of one pool and fetches it.
 *
 * <p>There is one request for a node and a pool, by its name. It is created when an ADD waits and
 * there is none; a time-out neither deletes nor repeats it; its answer is fetched by its UID; it is
 * withdrawn when nobody wants it any more. Whatever is decided is decided on a live read.
 */
final class PoolAsker {
    private static final Logger LOG = LoggerFactory.getLogger(PoolAsker.class);
    private static final Duration BACKOFF = Duration.ofMillis(300);
    private static final String INDEX_TAKEN = "IndexTaken";

    private final String pool;
    private final Asker.Means with;
    private final OwnRequest request;
    private final Function<String, Asker.@Nullable Hint> hints;
    private final Timeline.Signal signal;

    /**
     * UID of the request that stands for the present demand; null when none is known. Only this
     * task touches it.
     */
    private @Nullable String awaited;

    private long nextPollNanos;
    private volatile boolean poked;

    PoolAsker(
            String pool,
            Asker.Means with,
            Function<String, Asker.@Nullable Hint> hints,
            @Nullable String awaited) {
        this.pool = pool;
        this.with = with;
        this.request = new OwnRequest(with.api(), with.settings().nodeName(), pool);
        this.hints = hints;
        this.signal = with.time().signal();
        this.awaited = awaited;
        this.nextPollNanos = with.time().nanos();
    }

    void wake() {
        poked = true;
        signal.raise();
    }

    /**
     * Nothing to do: no request is known of, nobody waits, and nothing has happened since {@link
     * #run} last looked.
     */
    boolean idle() {
        return awaited == null && !poked && !with.waiters().any(pool);
    }

    /** Goes on until there is nothing to do. */
    void run() throws InterruptedException {
        while (true) {
            poked = false;
            Duration wait;
            try {
                wait = step();
            } catch (ApiFailure.Transient e) {
                wait = max(with.time().jitter(BACKOFF, 0.5), e.retryAfter());
            } catch (ApiFailure.Stale e) {
                wait = Duration.ZERO; // look again
            } catch (ApiFailure.Rejected e) {
                LOG.atWarn()
                        .addKeyValue("pool", pool)
                        .addKeyValue("reason", e.getMessage())
                        .log("request for a block was rejected");
                with.waiters()
                        .fail(pool, "the request for a block was rejected: " + e.getMessage());
                wait = Duration.ofSeconds(2);
            } catch (KernelFailure e) {
                wait = BACKOFF;
            }
            if (wait.isNegative()) {
                return;
            }
            if (!wait.isZero()) {
                signal.await(wait);
            }
        }
    }

    private static final Duration DONE = Duration.ofSeconds(-1);

    /**
     * One look and what follows; returns how long to wait for the next, or a negative time when
     * nothing is left.
     */
    private Duration step() throws InterruptedException {
        boolean waiting = with.waiters().any(pool);
        long now = with.time().nanos();
        boolean demand = waiting || with.holdings().with(h -> h.demand().exists(pool, now));
        if (awaited == null && !waiting) {
            return lookForForgotten(demand);
        }
        if (awaited == null) {
            if (with.holdings().with(h -> h.hasRoom(pool, with.terms().apply(pool), now))) {
                with.waiters().wake(pool);
                return with.settings().requestPoll();
            }
            if (with.keeping().keepOne(pool, with.terms().apply(pool))) {
                with.waiters().wake(pool);
                return Duration.ZERO;
            }
            if (with.holdings().with(h -> h.returns().any(pool))) {
                return with.settings().requestPoll(); // asked once that address is free again
            }
        } else if (demand && nothingNew(now)) {
            return untilPoll(now, demand);
        }
        return live(demand, waiting);
    }

    /**
     * A request that this task did not make may lie there: of before a restart, or of a write whose
     * answer was lost.
     */
    private Duration lookForForgotten(boolean demand) {
        Asker.Hint hint = hints.apply(request.name());
        if (hint == null) {
            return DONE;
        }
        Optional<BlockRequest> there = request.live();
        if (there.isEmpty()) {
            return demand ? with.settings().requestPoll() : DONE;
        }
        awaited = Meta.uid(there.get().metadata());
        return Duration.ZERO;
    }

    private boolean nothingNew(long now) {
        Asker.Hint hint = hints.apply(request.name());
        boolean same = hint != null && hint.uid().equals(awaited) && hint.open();
        return same && nextPollNanos - now > 0;
    }

    private Duration untilPoll(long now, boolean demand) {
        long poll = nextPollNanos - now;
        long end =
                demand ? with.holdings().with(h -> h.demand().endsAtNanos(pool, now)) - now : poll;
        return Duration.ofNanos(Math.max(1_000_000, Math.min(poll, Math.max(end, 1_000_000))));
    }

    private Duration live(boolean demand, boolean waiting) throws InterruptedException {
        Optional<BlockRequest> there = request.live();
        nextPollNanos =
                with.time().nanos()
                        + with.time().jitter(with.settings().requestPoll(), 0.2).toNanos();
        if (there.isEmpty()) {
            awaited = null;
            if (waiting) {
                awaited = request.create();
                LOG.atInfo()
                        .addKeyValue("pool", pool)
                        .addKeyValue("request", awaited)
                        .log("block asked for");
            }
            return Duration.ZERO;
        }
        BlockRequest found = there.get();
        String uid = Meta.uid(found.metadata());
        if (found.failed()) {
            return failed(found, uid.equals(awaited));
        }
        if (found.complete()) {
            return fetch(found);
        }
        if (!found.open()) {
            delete(Preconditions.uid(uid)); // a condition that nobody knows: final, and no block
            return Duration.ZERO;
        }
        if (!demand) {
            delete(Preconditions.of(found.metadata()));
            LOG.atInfo().addKeyValue("pool", pool).log("request withdrawn, nobody waits any more");
            return Duration.ZERO;
        }
        awaited = uid;
        return untilPoll(with.time().nanos(), true);
    }

    private Duration fetch(BlockRequest complete) throws InterruptedException {
        String uid = Meta.uid(complete.metadata());
        String intent = complete.intent();
        if (intent != null) {
            Adoption.Outcome outcome = with.adoption().look(intent);
            LOG.atDebug()
                    .addKeyValue("pool", pool)
                    .addKeyValue("block", intent)
                    .addKeyValue("outcome", outcome)
                    .log("block fetched");
        }
        delete(Preconditions.uid(uid));
        return Duration.ZERO;
    }

    private Duration failed(BlockRequest refused, boolean wasAwaited) {
        BlockRequest.Condition why = refused.condition(BlockRequest.FAILED);
        String reason = why == null || why.reason() == null ? "" : why.reason();
        String message = why == null || why.message() == null ? reason : why.message();
        if (wasAwaited && !reason.equals(INDEX_TAKEN)) {
            with.waiters().fail(pool, message);
        }
        delete(Preconditions.uid(Meta.uid(refused.metadata())));
        LOG.atInfo()
                .addKeyValue("pool", pool)
                .addKeyValue("reason", message)
                .log("request was refused");
        return Duration.ZERO;
    }

    private void delete(Preconditions must) {
        request.delete(must);
        awaited = null;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
