package io.coil.admin.snapshot;

import io.coil.core.net.Address;
import io.coil.core.pool.PoolSpec;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is known of an address.
 *
 * @param pool that contains it; null if none does
 * @param block that contains it; null if it is not granted
 * @param pod that shows it; null if none does
 * @param inUse whether the report of its block says so, or a pod shows it
 */
public record AddressLookup(
        Address address,
        @Nullable PoolView pool,
        @Nullable BlockView block,
        Observed.@Nullable Pod pod,
        boolean inUse) {

    public static AddressLookup of(Address address, Snapshot snapshot) {
        for (PoolView pool : snapshot.pools().values()) {
            OptionalInt index =
                    pool.spec() == null ? OptionalInt.empty() : pool.spec().indexOf(address);
            if (index.isPresent()) {
                BlockView block =
                        snapshot.blocks().get(PoolSpec.blockName(pool.name(), index.getAsInt()));
                return in(pool, block, address, snapshot);
            }
        }
        Observed.Pod pod = snapshot.pods().get(address);
        return new AddressLookup(address, null, null, pod, pod != null);
    }

    private static AddressLookup in(
            PoolView pool, @Nullable BlockView block, Address address, Snapshot snapshot) {
        OptionalLong offset =
                block == null || block.range() == null
                        ? OptionalLong.empty()
                        : block.range().offsetOf(address);
        List<Address> both =
                block == null || offset.isEmpty()
                        ? List.of(address)
                        : block.addressesAt(offset.getAsLong());
        Observed.Pod pod = snapshot.podAt(both).orElse(null);
        boolean reported =
                block != null
                        && offset.isPresent()
                        && offset.getAsLong() < BlockView.MOST_CELLS
                        && block.inUse((int) offset.getAsLong());
        return new AddressLookup(address, pool, block, pod, reported || pod != null);
    }

    /** It, and the other one of its pair, if its block has both families. */
    public List<Address> both() {
        OptionalLong offset =
                block == null || block.range() == null
                        ? OptionalLong.empty()
                        : block.range().offsetOf(address);
        return block == null || offset.isEmpty()
                ? List.of(address)
                : block.addressesAt(offset.getAsLong());
    }

    public @Nullable String node() {
        if (block != null) {
            return block.node();
        }
        return pod == null ? null : pod.node();
    }
}
