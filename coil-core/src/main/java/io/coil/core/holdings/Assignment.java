package io.coil.core.holdings;

import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An address (or a pair, one of each family) given to one interface of one container.
 *
 * @param pod null when only the kernel was asked (after a restart)
 * @param block empty if no block of this node has the address
 * @param offset where in the block
 * @param sinceNanos when it was given, on the agent's monotonic clock
 * @param attached whether the link is known to be there; before that, its absence is no evidence
 */
public record Assignment(
        ContainerKey key,
        @Nullable PodRef pod,
        String pool,
        String block,
        long offset,
        List<Address> addresses,
        long sinceNanos,
        boolean attached) {

    /** Name of the block of an assignment whose block is not held (any more). */
    public static final String NO_BLOCK = "";

    /** Whether a container has this address and no block of this node does. */
    public boolean homeless() {
        return block.isEmpty();
    }

    Assignment in(String newPool, String newBlock, long newOffset) {
        return new Assignment(
                key, pod, newPool, newBlock, newOffset, addresses, sinceNanos, attached);
    }

    Assignment asAttached() {
        return new Assignment(key, pod, pool, block, offset, addresses, sinceNanos, true);
    }

    Assignment of(PodRef known) {
        return new Assignment(key, known, pool, block, offset, addresses, sinceNanos, attached);
    }
}
