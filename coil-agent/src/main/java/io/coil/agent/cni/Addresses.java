package io.coil.agent.cni;

import io.coil.agent.AgentSettings;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Waiters;
import io.coil.agent.journal.Memory;
import io.coil.agent.pool.PoolDirectory;
import io.coil.agent.request.Asker;
import io.coil.core.holdings.Assign;
import io.coil.core.holdings.Assignment;
import io.coil.core.holdings.ContainerKey;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/** Gives addresses to containers: at once out of a block that is held, or when a block has come. */
public final class Addresses {
    private final AgentSettings settings;
    private final Timeline time;
    private final SharedHoldings holdings;
    private final PoolDirectory pools;
    private final Waiters waiters;
    private final Asker asker;
    private final Memory memory;
    private final Consumer<String> freed;

    /**
     * An allocator over what is held.
     *
     * @param freed told the pool of an address that has become free
     */
    public Addresses(
            AgentSettings settings,
            Timeline time,
            SharedHoldings holdings,
            PoolDirectory pools,
            Waiters waiters,
            Asker asker,
            Memory memory,
            Consumer<String> freed) {
        this.settings = settings;
        this.time = time;
        this.holdings = holdings;
        this.pools = pools;
        this.waiters = waiters;
        this.asker = asker;
        this.memory = memory;
        this.freed = freed;
    }

    /**
     * An address of that pool; waits for a block if none is at hand, at most as long as the
     * settings say, and as the caller does.
     */
    Assignment obtain(ContainerKey key, PodRef pod, String pool, long callerWaitsUntil)
            throws InterruptedException {
        Assign first = attempt(key, pod, pool);
        Assignment given = given(first);
        if (given != null) {
            return given;
        }
        long began = time.nanos();
        long wait = Math.min(settings.addWait().toNanos(), callerWaitsUntil - began);
        try (Waiters.Waiter waiter = waiters.register(pool)) {
            while (true) {
                Assign again = attempt(key, pod, pool);
                given = given(again);
                if (given != null) {
                    return given;
                }
                String refusal = waiter.failure();
                if (refusal != null) {
                    throw CniFailure.tryAgain(refusal + coolingNote(again));
                }
                long left = began + wait - time.nanos();
                if (left <= 0) {
                    throw CniFailure.tryAgain(
                            "no block of pool \"%s\" came within %d ms; the request for one stays open%s"
                                    .formatted(
                                            pool,
                                            Duration.ofNanos(wait).toMillis(),
                                            coolingNote(again)));
                }
                asker.wake(pool);
                waiter.signal().await(Duration.ofNanos(Math.min(left, untilCool(again))));
            }
        }
    }

    private Assign attempt(ContainerKey key, PodRef pod, String pool) {
        PoolTerms terms = pools.terms(pool);
        if (terms.uid() == null) {
            try {
                terms = pools.confirmedTerms(pool);
            } catch (ApiFailure e) {
                throw CniFailure.tryAgain(
                        "pool \"%s\" cannot be read: %s".formatted(pool, e.getMessage()));
            }
        }
        PoolTerms now = terms;
        return holdings.with(h -> h.assign(key, pod, pool, now, time.nanos()));
    }

    private static @Nullable Assignment given(Assign assign) {
        return switch (assign) {
            case Assign.Assigned(Assignment assignment) -> assignment;
            case Assign.Held(Assignment assignment) -> assignment;
            case Assign.Refused(String why) -> throw CniFailure.tryAgain(why);
            case Assign.NoRoom none -> null;
        };
    }

    /** When an address cools down here, there is room though nobody has freed anything. */
    private long untilCool(Assign assign) {
        return assign instanceof Assign.NoRoom(Long coolAt) && coolAt != null
                ? Math.max(1, coolAt - time.nanos())
                : Long.MAX_VALUE;
    }

    private String coolingNote(Assign assign) {
        return assign instanceof Assign.NoRoom(Long coolAt) && coolAt != null
                ? "; the next free address of this node may be given again in %d s (reuse delay)"
                        .formatted(Math.max(1, Duration.ofNanos(coolAt - time.nanos()).toSeconds()))
                : "";
    }

    /** The ADD has failed after all: its address is free, and its pod still wants one. */
    void takeBack(ContainerKey key, PodRef pod, String pool) {
        remember(key);
        long now = time.nanos();
        holdings.change(
                h -> {
                    h.free(key, pools::terms, now);
                    h.demand().asked(pool, pod, now);
                });
        freed.accept(pool);
    }

    /** Frees what the interface holds, if anything. */
    @Nullable Assignment release(ContainerKey key) {
        remember(key);
        Assignment gone =
                holdings.<@Nullable Assignment>with(h -> h.free(key, pools::terms, time.nanos()));
        if (gone != null) {
            freed.accept(gone.pool());
        }
        return gone;
    }

    private void remember(ContainerKey key) {
        Assignment present = holdings.<@Nullable Assignment>with(h -> h.assignment(key));
        if (present != null) {
            memory.freed(present);
        }
    }
}
