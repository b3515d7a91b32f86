package io.coil.admin.act;

import io.coil.core.pool.PoolText;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A pool that somebody wants.
 *
 * @param blockSizeBits a block has 2^n addresses
 * @param key the same key twice means the same order; null: each is a new one
 */
public record PoolOrder(
        String name,
        int blockSizeBits,
        List<PoolText.SubnetText> subnets,
        String reason,
        @Nullable String key) {
    /** Of an object in Kubernetes (RFC 1123); how long it may be the rules for pools say. */
    static final String NAME = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

    public PoolOrder {
        name = name.strip();
        subnets = List.copyOf(subnets);
    }
}
