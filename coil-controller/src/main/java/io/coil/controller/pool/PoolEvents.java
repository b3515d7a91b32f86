package io.coil.controller.pool;

import io.coil.controller.view.SeenPool;
import io.coil.kubernetes.events.Events;
import io.coil.kubernetes.events.Subject;
import io.coil.kubernetes.resource.AddressPool;
import io.coil.kubernetes.resource.Names;
import io.kubernetes.client.openapi.models.V1Condition;

/**
 * Tells when a pool is not any more as it was. What was said before stands in its status, so the
 * next leader does not say it again. That a pool is out of blocks is said by the grant that is
 * refused, and not here.
 */
public final class PoolEvents {
    private final Events events;

    public PoolEvents(Events events) {
        this.events = events;
    }

    /** {@code before} still has the status that was there; {@code now} has been written. */
    void tell(SeenPool before, AddressPool.Status now) {
        Subject pool =
                new Subject(Names.COIL_API, "AddressPool", null, before.name(), before.uid());
        for (V1Condition condition : PoolConditions.all(now)) {
            V1Condition old =
                    PoolConditions.find(before.status(), condition.getType()).orElse(null);
            if (old == null || !condition.getReason().equals(old.getReason())) {
                tell(pool, condition, old != null, now);
            }
        }
    }

    /** The reason of a condition is another one now; {@code turned}: there was one before. */
    private void tell(Subject pool, V1Condition condition, boolean turned, AddressPool.Status now) {
        String message = condition.getMessage();
        switch (condition.getReason()) {
            case PoolConditions.INVALID -> events.warning(pool, "PoolInvalid", message);
            case PoolConditions.DRAINED -> events.normal(pool, "PoolDrained", message);
            case PoolConditions.SHARES_ADDRESSES -> events.warning(pool, "Overlapping", message);
            case PoolConditions.HAS_BLOCKS -> events.normal(pool, "Deleting", message);
            case PoolConditions.BLOCKS_LEFT -> {
                AddressPool.Count blocks = now.blocks();
                if (turned && blocks != null) {
                    events.normal(
                            pool,
                            "BlocksLeft",
                            "pool %s has blocks again: %s of %s are free"
                                    .formatted(pool.name(), blocks.free(), blocks.total()));
                }
            }
            default -> {}
        }
    }
}
