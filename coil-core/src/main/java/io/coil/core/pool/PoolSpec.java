package io.coil.core.pool;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a pool is made of: subnets that are cut into blocks of 2^{@code blockSizeBits} addresses.
 * Indices count through the subnets in order. A dual stack pair counts as one address. Nothing here
 * costs more for a large pool than for a small one.
 *
 * <p>More lenient than the rules for new pools ({@link PoolRules}): whatever exists is served. An
 * entry smaller than a block just has no blocks.
 */
public record PoolSpec(String name, int blockSizeBits, List<Subnet> subnets) {
    /** An index is an int32 in the API, so nothing beyond this many blocks can ever be named. */
    public static final long INDEX_LIMIT = 1L << 31;

    public PoolSpec {
        if (blockSizeBits < 0) {
            throw new IllegalArgumentException("blockSizeBits is negative: " + blockSizeBits);
        }
        subnets = List.copyOf(subnets);
    }

    /** The exact number of blocks, of any size. */
    public BigInteger blocks() {
        BigInteger sum = BigInteger.ZERO;
        for (Subnet subnet : subnets) {
            int bits = subnet.hostBits() - blockSizeBits;
            if (bits >= 0) {
                sum = sum.add(BigInteger.ONE.shiftLeft(bits));
            }
        }
        return sum;
    }

    /** The exact number of addresses in those blocks. */
    public BigInteger addresses() {
        return blocks().shiftLeft(blockSizeBits);
    }

    /** How many blocks can be used: all, or 2^31. Indices run from 0 to this, exclusive. */
    public long usableBlocks() {
        long sum = 0;
        for (Subnet subnet : subnets) {
            sum = Math.min(INDEX_LIMIT, sum + blocksOf(subnet));
        }
        return sum;
    }

    /**
     * The range of the block of that index.
     *
     * @throws IndexOutOfBoundsException if the pool has no such block
     */
    public BlockRange blockAt(int index) {
        Placed placed =
                find(index)
                        .orElseThrow(
                                () ->
                                        new IndexOutOfBoundsException(
                                                "pool %s has no block %d".formatted(name, index)));
        Cidr ipv4 = placed.subnet().ipv4();
        Cidr ipv6 = placed.subnet().ipv6();
        long part = index - placed.firstIndex();
        return new BlockRange(
                ipv4 == null ? null : ipv4.part(part, blockSizeBits),
                ipv6 == null ? null : ipv6.part(part, blockSizeBits));
    }

    public boolean hasBlock(int index) {
        return index >= 0 && index < usableBlocks();
    }

    /** The index of the block that holds the address; empty if none of this pool does. */
    public OptionalInt indexOf(Address address) {
        long firstIndex = 0;
        for (Subnet subnet : subnets) {
            for (Cidr range : subnet.ranges()) {
                if (blocksOf(subnet) > 0 && range.contains(address)) {
                    BigInteger part = range.offsetOf(address).shiftRight(blockSizeBits);
                    BigInteger index = part.add(BigInteger.valueOf(firstIndex));
                    return index.bitLength() <= 31
                            ? OptionalInt.of(index.intValue())
                            : OptionalInt.empty();
                }
            }
            firstIndex += blocksOf(subnet);
            if (firstIndex >= INDEX_LIMIT) {
                break;
            }
        }
        return OptionalInt.empty();
    }

    /** The name of the block of that index of that pool. */
    public static String blockName(String pool, int index) {
        return new BlockName(pool, index).toString();
    }

    /** See {@link BlockName#parse}. */
    public static Optional<BlockName> parseBlockName(String name) {
        return BlockName.parse(name);
    }

    /**
     * The first index after this one that is not in the same subnet, or whose range of that subnet
     * lies beyond {@code taken}. For skipping what other blocks cover without a look at each index.
     */
    public long firstIndexBeyond(int index, Cidr taken) {
        Optional<Placed> placed = find(index);
        if (placed.isEmpty()) {
            return index + 1L;
        }
        Subnet subnet = placed.get().subnet();
        long end = placed.get().firstIndex() + blocksOf(subnet);
        for (Cidr range : subnet.ranges()) {
            if (range.family() == taken.family() && range.overlaps(taken)) {
                if (taken.contains(range)) {
                    return end;
                }
                BigInteger part = range.offsetOf(taken.last()).shiftRight(blockSizeBits);
                long next =
                        part.bitLength() < 62
                                ? placed.get().firstIndex() + part.longValue() + 1
                                : end;
                return Math.min(end, Math.max(index + 1L, next));
            }
        }
        return index + 1L;
    }

    private record Placed(Subnet subnet, long firstIndex) {}

    private Optional<Placed> find(int index) {
        long firstIndex = 0;
        for (Subnet subnet : subnets) {
            long next = firstIndex + blocksOf(subnet);
            if (index >= firstIndex && index < next) {
                return Optional.of(new Placed(subnet, firstIndex));
            }
            firstIndex = next;
            if (firstIndex >= INDEX_LIMIT) {
                break;
            }
        }
        return Optional.empty();
    }

    /** The blocks of an entry, or 2^32 if it has more: enough to end every count. */
    private long blocksOf(Subnet subnet) {
        int bits = subnet.hostBits() - blockSizeBits;
        return bits < 0 ? 0 : 1L << Math.min(bits, 32);
    }
}
