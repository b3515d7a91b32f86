package io.coil.admin.snapshot;

import io.coil.core.net.Address;
import io.coil.core.pool.BlockRange;
import io.coil.core.pool.CollectionMode;
import io.coil.kubernetes.resource.SwitchedBy;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/**
 * A block, what its node's agent says of it, and what follows.
 *
 * @param range null if the block's texts cannot be read
 * @param used addresses that containers have, as {@code usedFrom} knows it
 * @param bitmap hexadecimal, address 0 in the lowest bit of the first byte; null if not reported
 * @param emptySince null while used, or if nobody said
 * @param deleting when its deletion was asked for; null if it was not
 * @param drain whether it is being emptied, by its annotation
 * @param drainBy who said so; null if that is not known
 * @param forced why somebody has asked to release it by force; null if nobody has
 * @param mode the strictest collection mode of all, of its pool and of its node
 */
public record BlockView(
        String name,
        String uid,
        String pool,
        @Nullable String node,
        int index,
        @Nullable BlockRange range,
        List<String> ranges,
        BigInteger capacity,
        long used,
        UsedFrom usedFrom,
        @Nullable String bitmap,
        @Nullable Instant emptySince,
        BlockState state,
        @Nullable Instant granted,
        @Nullable String request,
        @Nullable Instant deleting,
        boolean drain,
        @Nullable SwitchedBy drainBy,
        @Nullable String forced,
        CollectionMode mode) {

    /** Most addresses of a block that are shown one by one. */
    public static final int MOST_CELLS = 256;

    /** Who says how many addresses are in use. */
    public enum UsedFrom {
        /** The report of the node's agent. */
        REPORT,
        /** No report of it (an agent of Coil v2, or a young one): pods that show its addresses. */
        PODS
    }

    public boolean empty() {
        return used == 0;
    }

    /** Whether the report says that the address at this offset is in use. */
    public boolean inUse(int offset) {
        int at = offset / 8 * 2;
        if (bitmap == null || bitmap.length() < at + 2) {
            return false;
        }
        int bits = Character.digit(bitmap.charAt(at), 16) << 4;
        bits |= Character.digit(bitmap.charAt(at + 1), 16);
        return (bits >> (offset % 8) & 1) == 1;
    }

    /** The addresses at this offset, IPv4 first; none if the block's range is not known. */
    public List<Address> addressesAt(long offset) {
        return range == null || offset >= range.capacity() ? List.of() : range.addressesAt(offset);
    }
}
