package io.coil.admin.act;

import io.coil.admin.problem.Problem;
import io.coil.admin.snapshot.PoolView;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.pool.BlockName;

import org.jspecify.annotations.Nullable;

/** A thing that is not there: gone since somebody saw it, or never there. */
final class Missing {
    private Missing() {}

    /**
     * A block that somebody saw, or that its pool can have, has gone; of any other name nobody
     * knows.
     *
     * @param uid of the block that the caller has seen; null: not said
     */
    static Done block(String name, @Nullable String uid, Snapshot snapshot) {
        if (uid == null && !possible(name, snapshot)) {
            throw Problem.notFound("block", name).thrown();
        }
        return Done.of(
                Done.State.GONE,
                "There is no block %s any more: it has gone back, and nothing is left to do."
                        .formatted(name));
    }

    private static boolean possible(String name, Snapshot snapshot) {
        return BlockName.parse(name)
                .map(block -> hasBlock(snapshot.pools().get(block.pool()), block.index()))
                .orElse(false);
    }

    private static boolean hasBlock(@Nullable PoolView pool, int index) {
        return pool != null && pool.spec() != null && pool.spec().hasBlock(index);
    }
}
