package io.coil.kubernetes.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.jspecify.annotations.Nullable;

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
