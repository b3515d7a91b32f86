package io.coil.core.holdings;

import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An address (or a pair, one of each family) given to one interface of one container.
 *
 * @param pod null when only the kernel was asked (after a restart)
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

    Assignment asAttached() {
        return new Assignment(key, pod, pool, block, offset, addresses, sinceNanos, true);
    }

    Assignment of(PodRef known) {
        return new Assignment(key, known, pool, block, offset, addresses, sinceNanos, attached);
    }
}
