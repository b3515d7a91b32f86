package io.coil.admin.snapshot;

import java.math.BigInteger;

/**
 * The whole cluster in numbers.
 *
 * @param nodes Node objects; nodes that are gone do not count
 * @param reporting of those, with an agent that reports
 * @param requestsOpen block requests that nobody has answered yet
 */
public record Totals(
        BigInteger blocksTotal,
        int blocks,
        BigInteger addressesTotal,
        long addressesUsed,
        int empty,
        int reserved,
        int candidates,
        int nodes,
        int reporting,
        int silent,
        int notReady,
        int requestsOpen) {}
