package io.coil.controller.pool;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenBlock;
import io.coil.controller.view.SeenPool;
import io.coil.controller.view.SeenUsage;
import io.coil.core.pool.PoolReading;
import io.coil.core.pool.PoolSpec;
import io.coil.core.pool.Subnet;
import io.coil.core.pool.Violation;
import io.coil.kubernetes.api.ApiFailure;
import io.coil.kubernetes.api.Kinds;
import io.coil.kubernetes.api.KubeApi;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.time.Timeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the status of pools that changed: the first change at once, then at most once per interval
 * for all pools together.
 */
public final class PoolStatuses {
    private static final Logger LOG = LoggerFactory.getLogger(PoolStatuses.class);

    /** A look although nothing seems to have changed. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final KubeApi api;
    private final Timeline timeline;
    private final ClusterView view;
    private final Ledger ledger;
    private final Duration interval;
    private final Timeline.Signal changed;

    public PoolStatuses(
            KubeApi api, Timeline timeline, ClusterView view, Ledger ledger, Duration interval) {
        this.api = api;
        this.timeline = timeline;
        this.view = view;
        this.ledger = ledger;
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
        Map<String, Sum> sums = sums();
        for (SeenPool pool : view.pools()) {
            AddressPool.Status now = status(pool, sums.getOrDefault(pool.name(), new Sum()));
            if (!PoolStatus.same(pool.status(), now)) {
                write(pool, now);
            }
        }
    }

    private AddressPool.Status status(SeenPool pool, Sum sum) {
        return switch (pool.reading()) {
            case PoolReading.NotUnderstood(List<Violation> violations) ->
                    PoolStatus.unreadable(pool, violations.getFirst().toString(), timeline.now());
            case PoolReading.Understood(PoolSpec spec) ->
                    PoolStatus.of(
                            pool,
                            spec,
                            new PoolStatus.Counts(
                                    ledger.usage(spec),
                                    sum.used,
                                    sum.leaving,
                                    sum.leavingAddresses,
                                    overlapping(spec)),
                            timeline.now());
        };
    }

    private void write(SeenPool seen, AddressPool.Status status) {
        try {
            Optional<AddressPool> pool = api.get(Kinds.POOLS, null, seen.name());
            if (pool.isPresent() && Meta.uid(pool.get().metadata()).equals(seen.uid())) {
                AddressPool p = pool.get();
                api.replaceStatus(
                        Kinds.POOLS,
                        new AddressPool(p.apiVersion(), p.kind(), p.metadata(), p.spec(), status));
            }
        } catch (ApiFailure e) {
            // Gone, changed, or Coil's own CRD without a status: the next time, if at all.
            if (!(e instanceof ApiFailure.Stale s && (s.notFound() || s.statusMissing()))) {
                changed.raise();
            }
            LOG.atDebug()
                    .addKeyValue("pool", seen.name())
                    .addKeyValue("why", e.getMessage())
                    .log("pool status not written");
        }
    }

    /** What the agents report of a pool's blocks. */
    private static final class Sum {
        BigInteger used = BigInteger.ZERO;
        long leaving;
        BigInteger leavingAddresses = BigInteger.ZERO;
    }

    private Map<String, Sum> sums() {
        Map<String, Sum> sums = new HashMap<>();
        for (SeenBlock block : view.blocks()) {
            if (block.pool() != null) {
                add(sums.computeIfAbsent(block.pool(), p -> new Sum()), block);
            }
        }
        return sums;
    }

    private void add(Sum sum, SeenBlock block) {
        SeenUsage usage = block.node() == null ? null : view.usage(block.node());
        SeenUsage.Used reported = usage == null ? null : usage.blocks().get(block.name());
        boolean known = reported != null && block.uid().equals(reported.uid());
        BigInteger used = BigInteger.ZERO;
        if (block.reserved() && block.range() != null) {
            used = block.range().size();
        } else if (known && reported != null) {
            used = BigInteger.valueOf(reported.used());
        }
        sum.used = sum.used.add(used);
        if (block.beingDeleted() || (known && reported != null && reported.leaving())) {
            sum.leaving++;
            sum.leavingAddresses = sum.leavingAddresses.add(used);
        }
    }

    private List<String> overlapping(PoolSpec spec) {
        return view.pools().stream()
                .filter(p -> !p.name().equals(spec.name()))
                .filter(p -> p.spec() != null && overlap(spec, p.spec()))
                .map(SeenPool::name)
                .sorted()
                .toList();
    }

    private static boolean overlap(PoolSpec a, PoolSpec b) {
        return a.subnets().stream()
                .flatMap(s -> s.ranges().stream())
                .anyMatch(
                        r ->
                                b.subnets().stream()
                                        .map(Subnet::ranges)
                                        .flatMap(List::stream)
                                        .anyMatch(o -> o.overlaps(r)));
    }
}
