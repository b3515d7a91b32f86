package io.coil.controller.view;

import org.jspecify.annotations.Nullable;

/**
 * What changed: {@code old} is null for what is new, {@code now} for what is gone. Calls must be
 * short: they come from the watches.
 */
public interface ClusterChanges {
    ClusterChanges NOBODY = new ClusterChanges() {};

    default void pool(@Nullable SeenPool old, @Nullable SeenPool now) {}

    default void block(@Nullable SeenBlock old, @Nullable SeenBlock now) {}

    default void request(@Nullable SeenRequest old, @Nullable SeenRequest now) {}

    default void node(@Nullable SeenNode old, @Nullable SeenNode now) {}

    default void run(@Nullable SeenRun old, @Nullable SeenRun now) {}

    default void agent(@Nullable SeenAgent old, @Nullable SeenAgent now) {}

    default void usage(@Nullable SeenUsage old, @Nullable SeenUsage now) {}
}
