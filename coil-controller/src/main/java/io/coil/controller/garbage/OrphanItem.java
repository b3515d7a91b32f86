package io.coil.controller.garbage;

import io.coil.controller.view.SeenBlock;
import io.coil.core.garbage.OrphanStep;
import io.coil.core.garbage.Rule;
import io.coil.kubernetes.resource.RunItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** How a run says what is to become of an orphan block. */
final class OrphanItem {
    static final String CLAIMED = "another collection is at it";

    private OrphanItem() {}

    /** Null: it is no orphan, and not ours to say anything of. */
    static @Nullable RunItem of(SeenBlock block, OrphanStep step, Duration age) {
        return switch (step) {
            case OrphanStep.ReadNode read -> item(block, age, RunItem.PLANNED, null);
            case OrphanStep.Wait(Duration remaining) ->
                    item(
                            block,
                            age,
                            RunItem.KEPT,
                            "its node may come back: kept for another %d s"
                                    .formatted(remaining.toSeconds() + 1));
            case OrphanStep.Keep(String reason) -> item(block, age, RunItem.KEPT, reason);
            case OrphanStep.LeaveToAgent ours -> null;
            // steps of a collection, not of a look
            case OrphanStep.Delete delete -> null;
            case OrphanStep.ReadNodeAgain readAgain -> null;
            case OrphanStep.TakeFinalizer take -> null;
            case OrphanStep.BeginAgain begin -> null;
        };
    }

    /** A collection that is under way has it. */
    static RunItem claimed(SeenBlock block, Duration age) {
        return item(block, age, RunItem.NO_LONGER_TRUE, CLAIMED);
    }

    private static RunItem item(
            SeenBlock block, Duration age, String outcome, @Nullable String message) {
        return new RunItem(
                Rule.ORPHAN_BLOCK.text(),
                "Block",
                block.name(),
                block.uid(),
                block.name(),
                block.pool(),
                block.node(),
                "no Node named %s exists".formatted(block.node()),
                age.toSeconds(),
                outcome,
                message);
    }
}
