package io.coil.controller.pool;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.controller.view.SeenUsage;
import io.coil.core.ledger.PoolUsage;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.time.Timeline;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes the status of pools that changed: the first change at once, then at most once per interval
 * for all pools together. A look touches the blocks and pools that changed and no others. What is
 * compared, and what keeps its time, is the status that the pool has now, read live: so a late
 * watch makes no write.
 */
public final class PoolStatuses {
    private static final Logger LOG = LoggerFactory.getLogger(PoolStatuses.class);

    /** All pools are looked at then, though nothing seems to have changed. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final KubeApi api;
    private final Timeline timeline;
    private final ClusterView view;
    private final Ledger ledger;
    private final PoolEvents events;
    private final Duration interval;
    private final Timeline.Signal changed;
    private final Touched touched = new Touched();
    private final PoolSums sums; // the task's alone
    private final Counter looks;
    private final Counter blocksLookedAt;

    public PoolStatuses(
            KubeApi api,
            Timeline timeline,
            ClusterView view,
            Ledger ledger,
            PoolEvents events,
            Duration interval,
            MeterRegistry meters) {
        this.api = api;
        this.timeline = timeline;
        this.view = view;
        this.ledger = ledger;
        this.events = events;
        this.interval = interval;
        this.changed = timeline.signal();
        this.sums = new PoolSums(view);
        this.looks =
                Counter.builder("coil.controller.pool.looks")
                        .description("looks at the pools, whose statuses may have to be written")
                        .register(meters);
        this.blocksLookedAt =
                Counter.builder("coil.controller.pool.looks.blocks")
                        .description("blocks that were looked at then")
                        .register(meters);
    }

    /** Where pools meet depends on what each is cut from. */
    public void pool(@Nullable SeenPool old, @Nullable SeenPool now) {
        if (old == null || now == null || !old.reading().equals(now.reading())) {
            touched.allPools();
        } else {
            touched.pool(now.name());
        }
        changed.raise();
    }

    public void block(@Nullable SeenBlock old, @Nullable SeenBlock now) {
        for (SeenBlock block : new @Nullable SeenBlock[] {old, now}) {
            if (block != null) {
                touched.block(block.name());
                // the ledger's numbers are by the name, which says more than a lost label
                touched.pool(block.toLedger().pool());
            }
        }
        changed.raise();
    }

    public void usage(@Nullable SeenUsage old, @Nullable SeenUsage now) {
        Map<String, SeenUsage.Used> before = old == null ? Map.of() : old.blocks();
        Map<String, SeenUsage.Used> after = now == null ? Map.of() : now.blocks();
        for (Map<String, SeenUsage.Used> said : List.of(before, after)) {
            for (String block : said.keySet()) {
                if (!Objects.equals(before.get(block), after.get(block))) {
                    touched.block(block);
                    changed.raise();
                }
            }
        }
    }

    /** A Node has come, or is gone: its blocks are orphans or not. */
    public void node(String name) {
        touched.node(name);
        changed.raise();
    }

    public void run() throws InterruptedException {
        while (true) {
            look();
            timeline.sleep(interval);
            if (!changed.await(IDLE)) {
                touched.allPools();
            }
        }
    }

    private void look() {
        Set<String> different = different(touched.take());
        looks.increment();
        for (String name : different) {
            SeenPool pool = view.pool(name);
            if (pool != null) {
                look(pool);
            }
        }
    }

    /** The pools whose statuses may be different; their sums are brought up to date. */
    private Set<String> different(Touched.Taken taken) {
        Set<String> blocks = new TreeSet<>(taken.blocks());
        taken.nodes().forEach(n -> view.blocksOf(n).forEach(b -> blocks.add(b.name())));
        Set<String> pools = new TreeSet<>(taken.pools());
        for (String block : blocks) {
            pools.addAll(sums.look(block));
        }
        blocksLookedAt.increment(blocks.size());
        if (taken.allPools()) {
            view.pools().forEach(p -> pools.add(p.name()));
        } else {
            List.copyOf(pools).forEach(p -> pools.addAll(overlapping(p)));
        }
        return pools;
    }

    /** What one pool has granted, the other cannot. */
    private List<String> overlapping(String name) {
        SeenPool pool = view.pool(name);
        return pool == null || pool.spec() == null
                ? List.of()
                : Overlaps.of(pool.spec(), view.pools()).stream()
                        .map(PoolConditions.Overlap::pool)
                        .toList();
    }

    private void look(SeenPool pool) {
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
                                sum.leaks(),
                                sum.used(),
                                sum.leaving(),
                                sum.leavingAddresses(),
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
            touched.pool(pool.name());
            changed.raise();
        }
        LOG.atDebug()
                .addKeyValue("pool", pool.name())
                .addKeyValue("why", why.getMessage())
                .log("pool status not written");
    }
}
