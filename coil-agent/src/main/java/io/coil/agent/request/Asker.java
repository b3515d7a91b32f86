package io.coil.agent.request;

import io.coil.agent.AgentSettings;
import io.coil.agent.block.Adoption;
import io.coil.agent.block.Keeping;
import io.coil.agent.hold.SharedHoldings;
import io.coil.agent.hold.Waiters;
import io.coil.core.holdings.PodRef;
import io.coil.core.holdings.PoolTerms;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.BlockRequest;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Persistent;
import io.coil.kubernetes.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks for blocks, one pool by one: each pool that somebody waits for, or that a request stands
 * for, has a task of its own.
 */
public final class Asker {

    /** What the watch shows of a request of this node. */
    public record Hint(String pool, String uid, boolean open) {
        public static Hint of(BlockRequest request) {
            return new Hint(
                    request.spec().poolName(), Meta.uid(request.metadata()), request.open());
        }
    }

    /** What the tasks of all pools have in common. */
    public record Means(
            KubeApi api,
            Timeline time,
            AgentSettings settings,
            SharedHoldings holdings,
            Waiters waiters,
            Adoption adoption,
            Keeping keeping,
            Function<String, PoolTerms> terms) {}

    private static final PodRef BEFORE_THE_START =
            new PodRef("", "waiting before this agent started");

    private final Means means;
    private final Supplier<Map<String, Hint>> watched;
    private final Map<String, PoolAsker> pools = new HashMap<>(); // guarded by this

    /**
     * An asker without tasks.
     *
     * @param watched this node's requests by name, as the watch shows them
     */
    public Asker(Means means, Supplier<Map<String, Hint>> watched) {
        this.means = means;
        this.watched = watched;
    }

    /** Somebody waits for this pool, or something changed for those who do. */
    public void wake(String pool) {
        task(pool, null);
    }

    /** The same, only if there is a task. */
    public void nudge(String pool) {
        synchronized (this) {
            PoolAsker asker = pools.get(pool);
            if (asker != null) {
                asker.wake();
            }
        }
    }

    /**
     * The watch of this node's requests has shown something. A request that nobody here waits for
     * (it was made before a restart, or by a write whose answer was lost) gets a task too: that
     * fetches its block, or withdraws it.
     */
    public void requestsChanged() {
        watched.get().values().forEach(hint -> task(hint.pool(), hint.uid()));
    }

    /** At start: whoever waited before has time to come again before a request is withdrawn. */
    public void adoptRequests() {
        long now = means.time().nanos();
        for (Hint hint : watched.get().values()) {
            means.holdings().change(h -> h.demand().asked(hint.pool(), BEFORE_THE_START, now));
            task(hint.pool(), hint.uid());
        }
    }

    private synchronized void task(String pool, @Nullable String requestUid) {
        PoolAsker asker = pools.get(pool);
        if (asker == null) {
            PoolAsker fresh =
                    new PoolAsker(pool, means, name -> watched.get().get(name), requestUid);
            pools.put(pool, fresh);
            String name = "ask " + pool;
            means.time()
                    .start(
                            name,
                            new Persistent(means.time(), name, () -> runToItsEnd(pool, fresh)));
        } else {
            asker.wake();
        }
    }

    private void runToItsEnd(String pool, PoolAsker asker) throws InterruptedException {
        while (true) {
            asker.run();
            synchronized (this) {
                if (asker.idle()) {
                    pools.remove(pool);
                    return;
                }
            }
        }
    }
}
