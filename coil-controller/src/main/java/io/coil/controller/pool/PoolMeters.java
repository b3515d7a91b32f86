package io.coil.controller.pool;

import io.coil.controller.grant.Ledger;
import io.coil.controller.view.ClusterView;
import io.coil.controller.view.SeenPool;
import io.coil.core.pool.PoolSpec;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The two series per pool that Coil v2 has, by the leader alone: there when the pool is, used or
 * not, and gone with it.
 */
public final class PoolMeters {
    private final MeterRegistry meters;
    private final ClusterView view;
    private final Ledger ledger;
    private final Map<String, List<Meter>> byPool = new HashMap<>(); // guarded by this

    public PoolMeters(MeterRegistry meters, ClusterView view, Ledger ledger) {
        this.meters = meters;
        this.view = view;
        this.ledger = ledger;
    }

    public synchronized void there(String pool) {
        byPool.computeIfAbsent(
                pool,
                p ->
                        List.of(
                                Gauge.builder("coil.controller.max.blocks", () -> most(p))
                                        .description("blocks that the pool has")
                                        .tag("pool", p)
                                        .register(meters),
                                Gauge.builder(
                                                "coil.controller.allocated.blocks",
                                                () -> ledger.count(p))
                                        .description("blocks of the pool that nodes hold")
                                        .tag("pool", p)
                                        .register(meters)));
    }

    public synchronized void gone(String pool) {
        List<Meter> series = byPool.remove(pool);
        if (series != null) {
            series.forEach(meters::remove);
        }
    }

    /** The term is over. */
    public synchronized void end() {
        List.copyOf(byPool.keySet()).forEach(this::gone);
    }

    private double most(String name) {
        SeenPool pool = view.pool(name);
        PoolSpec spec = pool == null ? null : pool.spec();
        return spec == null ? 0 : spec.blocks().doubleValue();
    }
}
