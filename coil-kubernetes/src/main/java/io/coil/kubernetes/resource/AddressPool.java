package io.coil.kubernetes.resource;

import io.coil.core.pool.PoolText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** {@code AddressPool} of Coil v2, with the status that is our addition. */
public record AddressPool(
        String apiVersion,
        String kind,
        V1ObjectMeta metadata,
        @Nullable Spec spec,
        @Nullable Status status)
        implements KubernetesObject {

    /**
     * What the pool is cut from.
     *
     * @param blockSizeBits a block has 2^n addresses; null means the default, 5
     */
    public record Spec(@Nullable Integer blockSizeBits, @Nullable List<Subnet> subnets) {
        public static final int DEFAULT_BLOCK_SIZE_BITS = 5;

        public int bits() {
            return blockSizeBits == null ? DEFAULT_BLOCK_SIZE_BITS : blockSizeBits;
        }

        public List<Subnet> entries() {
            return subnets == null ? List.of() : subnets;
        }
    }

    /** One entry: CIDR text of one family, or of both (then they share the index). */
    public record Subnet(@Nullable String ipv4, @Nullable String ipv6) {}

    /**
     * How the pool is. Counts are decimal numbers in text: a pool may have more than 2^63
     * addresses.
     */
    public record Status(
            @Nullable Count blocks,
            @Nullable Count addresses,
            @Nullable List<V1Condition> conditions,
            @Nullable Long observedGeneration) {}

    /**
     * Totals of one thing.
     *
     * @param draining of {@code used}, those that are on their way back
     */
    public record Count(String total, String used, String free, String draining) {}

    /** What the pool says, for core to make sense of. */
    public PoolText toCore() {
        List<PoolText.SubnetText> subnets =
                spec == null
                        ? List.of()
                        : spec.entries().stream()
                                .map(s -> new PoolText.SubnetText(s.ipv4(), s.ipv6()))
                                .toList();
        return new PoolText(
                Meta.name(metadata),
                spec == null ? null : spec.blockSizeBits(),
                subnets,
                Meta.annotations(metadata));
    }

    @Override
    public V1ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }
}
