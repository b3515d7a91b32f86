package io.coil.controller.grant;

import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Finalizers;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Live reads of pools, shared: one read serves all who asked before it was sent, and nobody else.
 * So each answer is as true as one's own read, and a storm of grants from one pool reads it a few
 * times only. What is granted from has our finalizer.
 */
final class LivePools {
    private static final Duration LOOK = Duration.ofSeconds(10);

    /** Who writes to a pool all the time is not to be raced for ever: the grant comes again. */
    private static final int TRIES = 3;

    private final KubeApi api;
    private final Timeline timeline;
    private final Object lock = new Object();
    private final Map<String, Pool> pools = new HashMap<>(); // guarded by lock

    LivePools(KubeApi api, Timeline timeline) {
        this.api = api;
        this.timeline = timeline;
    }

    /** One pool while it is being read: the read that was sent, and those who came later. */
    private static final class Pool {
        @Nullable Reading next;
    }

    /** A read to come, or its outcome. All guarded by lock. */
    private static final class Reading {
        final List<Timeline.Signal> waiting = new ArrayList<>();
        boolean ended;
        @Nullable AddressPool found;
        @Nullable RuntimeException failure;
    }

    Optional<AddressPool> read(String name) throws InterruptedException {
        Reading mine;
        Timeline.Signal signal = null;
        synchronized (lock) {
            Pool pool = pools.get(name);
            if (pool == null) {
                pools.put(name, new Pool());
                mine = new Reading();
            } else {
                if (pool.next == null) {
                    pool.next = new Reading();
                }
                mine = pool.next;
                signal = timeline.signal();
                mine.waiting.add(signal);
            }
        }
        if (signal == null) {
            send(name, mine);
        } else {
            await(mine, signal);
        }
        return outcome(mine);
    }

    /** Sends a read, and then those for whoever came meanwhile, by a task of their own. */
    private void send(String name, Reading reading) {
        AddressPool found = null;
        RuntimeException failure = null;
        try {
            found = guarded(name).orElse(null);
        } catch (RuntimeException e) {
            failure = e;
        }
        Reading next;
        synchronized (lock) {
            reading.ended = true;
            reading.found = found;
            reading.failure = failure;
            reading.waiting.forEach(Timeline.Signal::raise);
            Pool pool = pools.get(name);
            next = pool == null ? null : pool.next;
            if (next == null) {
                pools.remove(name);
            } else {
                pools.put(name, new Pool());
            }
        }
        if (next != null) {
            Timeline.Running _ = timeline.start("read pool " + name, () -> send(name, next));
        }
    }

    /**
     * The pool, with our finalizer unless it is being deleted. The webhook puts it on, but may have
     * been away; and a pool without it could go while the block is on its way, or is used. A
     * controller that does not lead any more may do this as well: it is right for every pool.
     */
    private Optional<AddressPool> guarded(String name) {
        for (int attempt = 1; ; attempt++) {
            AddressPool pool = api.get(Kinds.POOLS, null, name).orElse(null);
            String patch =
                    pool == null || Meta.beingDeleted(pool.metadata())
                            ? null
                            : Finalizers.with(pool.metadata()).orElse(null);
            if (pool == null || patch == null) {
                return Optional.ofNullable(pool);
            }
            try {
                return Optional.of(
                        api.patch(
                                Kinds.POOLS, null, name, Preconditions.of(pool.metadata()), patch));
            } catch (ApiFailure.Stale e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private void await(Reading reading, Timeline.Signal signal) throws InterruptedException {
        while (true) {
            synchronized (lock) {
                if (reading.ended) {
                    return;
                }
            }
            signal.await(LOOK);
        }
    }

    private Optional<AddressPool> outcome(Reading reading) {
        synchronized (lock) {
            if (reading.failure == null) {
                return Optional.ofNullable(reading.found);
            }
            if (reading.failure instanceof ApiFailure.Transient failure) {
                // Thrown once to each who waited: not the same object.
                throw new ApiFailure.Transient(
                        failure.code(),
                        failure.reason(),
                        String.valueOf(failure.getMessage()),
                        failure.retryAfter(),
                        failure);
            }
            throw reading.failure;
        }
    }
}
