package io.coil.admin.history;

import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.RunView;

import java.time.Instant;

/** What is different between two looks at the cluster, as far as it is kept. */
sealed interface Change {

    /** A pod has an address; the holding is open. */
    record Began(Holding holding) implements Change {}

    /**
     * A pod has an address no more. All of it is said, in case that its begin was never written.
     */
    record Ended(Holding holding) implements Change {}

    record Granted(BlockView block, Instant at) implements Change {}

    /** A block is gone; all of it is said, for the same reason. */
    record Gone(BlockView last, Instant after, Instant at) implements Change {}

    /** A collection is over. */
    record Finished(RunView run) implements Change {}

    /**
     * Something that people change has changed, and the watch does not say who did it.
     *
     * @param uid the same for everybody who sees the same change
     */
    record Observed(
            String uid,
            Instant at,
            String action,
            String kind,
            String name,
            String reason,
            String detail)
            implements Change {}
}
