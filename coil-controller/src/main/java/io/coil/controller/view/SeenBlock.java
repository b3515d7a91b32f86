package io.coil.controller.view;

import io.coil.core.ledger.LedgerBlock;
import io.coil.core.net.InvalidAddressException;
import io.coil.core.pool.BlockName;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.PoolSpec;
import io.coil.kubernetes.api.Preconditions;
import io.coil.kubernetes.resource.AddressBlock;
import io.coil.kubernetes.resource.Meta;
import io.coil.kubernetes.resource.Names;

import org.jspecify.annotations.Nullable;

/**
 * A block.
 *
 * @param pool label, null if it has none
 * @param node label, null if it has none
 * @param request UID of the request that it was granted for, null if it was not
 * @param range null if its fields cannot be read
 * @param owner UID of the pool that owns it, null if none does
 * @param force value of the annotation that releases it by force
 */
public record SeenBlock(
        String name,
        String uid,
        String version,
        int index,
        @Nullable BlockRange range,
        @Nullable String pool,
        @Nullable String node,
        @Nullable String request,
        @Nullable String owner,
        boolean reserved,
        boolean guarded,
        boolean beingDeleted,
        @Nullable String force) {

    public static SeenBlock of(AddressBlock block) {
        return new SeenBlock(
                Meta.name(block.metadata()),
                Meta.uid(block.metadata()),
                Meta.version(block.metadata()),
                block.index(),
                range(block),
                given(block.pool()),
                given(block.node()),
                block.request(),
                Meta.ownerUid(block.metadata(), "AddressPool"),
                block.reserved(),
                Meta.finalizers(block.metadata()).contains(Names.FINALIZER),
                Meta.beingDeleted(block.metadata()),
                Meta.annotation(block.metadata(), Names.FORCE));
    }

    /** An empty label says as little as none. */
    private static @Nullable String given(@Nullable String label) {
        return label == null || label.isEmpty() ? null : label;
    }

    private static @Nullable BlockRange range(AddressBlock block) {
        try {
            return BlockRange.parse(block.ipv4(), block.ipv6());
        } catch (InvalidAddressException e) {
            return null;
        }
    }

    /** The very block, as it was read. */
    public Preconditions unchanged() {
        return new Preconditions(uid, version);
    }

    /** Its name says which index is taken, whatever its labels say. */
    public LedgerBlock toLedger() {
        BlockName parsed =
                PoolSpec.parseBlockName(name)
                        .orElseGet(
                                () ->
                                        new BlockName(
                                                pool == null ? name : pool, Math.max(0, index)));
        return new LedgerBlock(name, uid, parsed.pool(), parsed.index(), range, node);
    }
}
