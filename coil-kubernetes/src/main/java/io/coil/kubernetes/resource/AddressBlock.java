package io.coil.kubernetes.resource;

import io.coil.core.ledger.LedgerBlock;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.BlockRange;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * {@code AddressBlock} of Coil v2: part of a pool, held by a node. Never changed, only created and
 * deleted.
 *
 * @param index number within the pool, 0 to 2^31-1
 * @param ipv4 CIDR text, or null
 * @param ipv6 CIDR text, or null
 */
public record AddressBlock(
        String apiVersion,
        String kind,
        V1ObjectMeta metadata,
        int index,
        @Nullable String ipv4,
        @Nullable String ipv6)
        implements KubernetesObject {

    /** Label {@link Names#POOL}; null if somebody made the block without. */
    public @Nullable String pool() {
        return Meta.label(metadata, Names.POOL);
    }

    /** Label {@link Names#NODE}; null if somebody made the block without. */
    public @Nullable String node() {
        return Meta.label(metadata, Names.NODE);
    }

    /** UID of the request that the block was granted for; null if it was not. */
    public @Nullable String request() {
        return Meta.label(metadata, Names.REQUEST);
    }

    public boolean reserved() {
        return "true".equals(Meta.label(metadata, Names.RESERVED));
    }

    /** Its addresses; empty if what it says cannot be read. */
    public Optional<BlockRange> range() {
        try {
            return Optional.of(BlockRange.parse(ipv4, ipv6));
        } catch (InvalidAddressException e) {
            return Optional.empty();
        }
    }

    /**
     * As the ledger keeps it. Its name says which index of which pool it takes (Coil v2); only a
     * block that somebody made under another name is taken by its label and field.
     */
    public LedgerBlock toCore() {
        String name = Meta.name(metadata);
        BlockName taken =
                BlockName.parse(name)
                        .orElseGet(
                                () -> {
                                    String labelled = pool();
                                    return new BlockName(
                                            labelled == null ? name : labelled, Math.max(0, index));
                                });
        return new LedgerBlock(
                name,
                Meta.uid(metadata),
                taken.pool(),
                taken.index(),
                range().orElse(null),
                node());
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
