package io.coil.core.garbage;

import org.jspecify.annotations.Nullable;

/**
 * A block as the controller sees it when it looks for orphans.
 *
 * @param node the value of its node label; null: it has none
 * @param reserved all its addresses are marked as taken on purpose
 * @param beingDeleted it has a deletionTimestamp
 */
public record OrphanBlock(
        String name, String uid, @Nullable String node, boolean reserved, boolean beingDeleted) {}
