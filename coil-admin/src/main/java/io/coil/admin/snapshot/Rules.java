package io.coil.admin.snapshot;

import io.coil.core.pool.CollectionMode;

import java.time.Duration;

/**
 * By which what is seen is judged; the same settings as those of agents and controller.
 *
 * @param collection the mode for everything
 * @param linger how long an empty block of more than one address may stay
 * @param spareBlocks empty blocks that an agent keeps per pool
 * @param nodeGrace how long a node may be gone or not ready before that means something
 * @param silentAfter how long an agent may be missing or not ready
 */
public record Rules(
        CollectionMode collection,
        Duration linger,
        int spareBlocks,
        Duration nodeGrace,
        Duration silentAfter) {
    public static final Rules DEFAULT =
            new Rules(
                    CollectionMode.ON,
                    Duration.ofSeconds(30),
                    0,
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(2));
}
