package io.coil.controller.pool;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenPool;
import io.coil.core.ledger.PoolUsage;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Writes the status of pools that changed: the first change at once, then at most once per interval
 * for all pools together. What is compared, and what keeps its time, is the status that the pool
 * has now, read live: so a late watch makes no write.
 */
public final class PoolStatuses {
    private static final Logger LOG = LoggerFactory.getLogger(PoolStatuses.class);

    /** A look although nothing seems to have changed. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final KubeApi api;
    private final Timeline timeline;
    private final ClusterView view;
    private final Ledger ledger;
    private final PoolEvents events;
    private final Duration interval;
    private final Timeline.Signal changed;

    public PoolStatuses(
            KubeApi api,
            Timeline timeline,
            ClusterView view,
            Ledger ledger,
            PoolEvents events,
            Duration interval) {
        this.api = api;
        this.timeline = timeline;
        this.view = view;
        this.ledger = ledger;
        this.events = events;
        this.interval = interval;
        this.changed = timeline.signal();
    }

    /** Something that a status may show is different. */
    public void changed() {
        changed.raise();
    }

    public void run() throws InterruptedException {
        while (true) {
            writeChanged();
            timeline.sleep(interval);
            changed.await(IDLE);
        }
    }

    private void writeChanged() {
        PoolSums sums = PoolSums.of(view);
        for (SeenPool pool : view.pools()) {
            try {
                PoolSums.Sum sum = sums.sum(pool.name());
                if (!PoolStatus.same(pool.status(), status(pool, sum))) {
                    write(pool, sum);
                }
            } catch (ApiFailure e) {
                notWritten(pool, e);
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("pool", pool.name())
                        .setCause(e)
                        .log("pool status cannot be made");
            }
        }
    }

    private AddressPool.Status status(SeenPool pool, PoolSums.Sum sum) {
        return switch (pool.reading()) {
            case PoolReading.NotUnderstood(List<Violation> violations) ->
                    PoolStatus.unreadable(
                            pool,
                            violations.getFirst().toString(),
                            new Holders(ledger.usage(pool.name(), BigInteger.ZERO), sum.pods()),
                            timeline.now());
            case PoolReading.Understood(PoolSpec spec) -> {
                PoolUsage usage = ledger.usage(pool.name(), spec.blocks());
                yield PoolStatus.of(
                        pool,
                        spec,
                        new PoolStatus.Counts(
                                new Holders(usage, sum.pods()),
                                ledger.exhausted(spec),
                                sum.leaks,
                                sum.used,
                                sum.leaving,
                                sum.leavingAddresses,
                                Overlaps.of(spec, view.pools())),
                        timeline.now());
            }
        };
    }

    private void write(SeenPool seen, PoolSums.Sum sum) {
        Optional<AddressPool> read = api.get(Kinds.POOLS, null, seen.name());
        if (read.isEmpty()) {
            return;
        }
        AddressPool pool = read.get();
        SeenPool live = SeenPool.of(pool);
        AddressPool.Status status = status(live, sum);
        if (live.uid().equals(seen.uid()) && !PoolStatus.same(live.status(), status)) {
            api.replaceStatus(
                    Kinds.POOLS,
                    new AddressPool(
                            pool.apiVersion(), pool.kind(), pool.metadata(), pool.spec(), status));
            events.tell(live, status);
        }
    }

    /** Gone, changed, or Coil's own CRD without a status: the next time, if at all. */
    private void notWritten(SeenPool pool, ApiFailure why) {
        if (!(why instanceof ApiFailure.Stale s && (s.notFound() || s.statusMissing()))) {
            changed.raise();
        }
        LOG.atDebug()
                .addKeyValue("pool", pool.name())
                .addKeyValue("why", why.getMessage())
                .log("pool status not written");
    }
}
