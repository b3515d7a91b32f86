package io.coil.core.garbage;

import io.coil.core.pool.CollectionMode;

/** Why collection happens, and whether it may. */
public enum Trigger {
    PERIODIC,
    /** Something happened that makes a thing garbage: a link went, a block became empty. */
    EVENT,
    /** A person's run that names the node, the pool or the block. */
    ON_DEMAND_NAMED,
    /** A person's run about everything. */
    ON_DEMAND_ALL,
    /** A person applies a plan. */
    PLAN_APPLY,
    /** A dry run, which changes nothing. */
    PLAN_LOOK;

    /** The trigger of a run that acts, for one thing. */
    public static Trigger onDemand(boolean named) {
        return named ? ON_DEMAND_NAMED : ON_DEMAND_ALL;
    }

    /**
     * Whether collection of this kind may go on under the strictest mode that applies. A DEL and
     * the end of what has a deletionTimestamp are no collection: they go on under every mode.
     */
    public boolean allowedBy(CollectionMode mode) {
        return switch (mode) {
            case ON -> true;
            case MANUAL ->
                    switch (this) {
                        case PERIODIC, EVENT, ON_DEMAND_ALL -> false;
                        case ON_DEMAND_NAMED, PLAN_APPLY, PLAN_LOOK -> true;
                    };
            // Looking harms nothing, and says what would be collected if it were on.
            case OFF -> this == PLAN_LOOK;
        };
    }
}
