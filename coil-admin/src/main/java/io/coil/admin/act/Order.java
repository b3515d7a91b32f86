package io.coil.admin.act;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What somebody asks for.
 *
 * @param nodes names; none means all (the same for pools and blocks)
 * @param dryRun find, and change nothing
 * @param plan name of a plan to apply; null or empty: none
 * @param key the same key twice means the same order; null: each is a new one
 */
public record Order(
        List<String> nodes,
        List<String> pools,
        List<String> blocks,
        boolean dryRun,
        @Nullable String plan,
        String reason,
        @Nullable String key) {
    public static final int MOST_NAMES = 1000;

    public Order {
        nodes = List.copyOf(nodes);
        pools = List.copyOf(pools);
        blocks = List.copyOf(blocks);
        plan = plan == null || plan.isBlank() ? null : plan.strip();
        reason = reason.strip();
    }
}
