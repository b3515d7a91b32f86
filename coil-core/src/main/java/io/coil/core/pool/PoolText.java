package io.coil.core.pool;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * A pool as it stands in the API: texts that may be wrong.
 *
 * @param blockSizeBits null: not said, which means {@link #DEFAULT_BLOCK_SIZE_BITS}
 */
public record PoolText(
        String name,
        @Nullable Integer blockSizeBits,
        List<SubnetText> subnets,
        Map<String, String> annotations) {
    public static final int DEFAULT_BLOCK_SIZE_BITS = 5;

    public PoolText {
        subnets = List.copyOf(subnets);
        annotations = Map.copyOf(annotations);
    }

    /** One entry of {@code spec.subnets}; an absent family is null or empty. */
    public record SubnetText(@Nullable String ipv4, @Nullable String ipv6) {}

    public int effectiveBlockSizeBits() {
        return blockSizeBits == null ? DEFAULT_BLOCK_SIZE_BITS : blockSizeBits;
    }

    /** What the texts mean, if each of them can be read at all. */
    public PoolReading read() {
        return PoolReading.of(this);
    }
}
