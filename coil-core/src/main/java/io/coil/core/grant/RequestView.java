package io.coil.core.grant;

import org.jspecify.annotations.Nullable;

/**
 * What the controller has read of a request for a block.
 *
 * @param node the node that asks, {@code spec.nodeName}
 * @param pool the pool asked, {@code spec.poolName}
 * @param intent {@code status.addressBlockName}: the block that was chosen once; null: none yet
 * @param beingDeleted it has a deletionTimestamp
 * @param finished it has a condition: any is final
 */
public record RequestView(
        String uid,
        String node,
        String pool,
        @Nullable String intent,
        boolean beingDeleted,
        boolean finished) {

    public RequestView {
        if (intent != null && intent.isEmpty()) {
            intent = null;
        }
    }
}
