package io.coil.core.pool;

import io.coil.core.net.Address;
import io.coil.core.net.Cidr;
import io.coil.core.net.Family;
import io.coil.core.net.InvalidAddressException;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;

/**
 * The addresses of one block: a range of one family, or one of each that are counted through
 * together. The size is that of the smaller range; only blocks made by hand have unequal ones.
 */
public record BlockRange(@Nullable Cidr ipv4, @Nullable Cidr ipv6) {

    public BlockRange {
        if (ipv4 == null && ipv6 == null) {
            throw new IllegalArgumentException("a block has at least one family");
        }
        Subnet.requireFamily(ipv4, Family.IPV4);
        Subnet.requireFamily(ipv6, Family.IPV6);
    }

    /**
     * Reads the two fields of a block; null or empty: that family is absent.
     *
     * @throws InvalidAddressException if one cannot be read, is of the other family, or both are
     *     absent
     */
    public static BlockRange parse(@Nullable String ipv4, @Nullable String ipv6) {
        Cidr v4 = range(ipv4, Family.IPV4);
        Cidr v6 = range(ipv6, Family.IPV6);
        if (v4 == null && v6 == null) {
            throw new InvalidAddressException("the block has neither an IPv4 nor an IPv6 range");
        }
        return new BlockRange(v4, v6);
    }

    /** The ranges that are there, IPv4 first. */
    public List<Cidr> ranges() {
        if (ipv4 == null) {
            return ipv6 == null ? List.of() : List.of(ipv6);
        }
        return ipv6 == null ? List.of(ipv4) : List.of(ipv4, ipv6);
    }

    /** The number of addresses (of pairs, if the block has both families). */
    public BigInteger size() {
        return BigInteger.ONE.shiftLeft(hostBits());
    }

    /** {@link #size()}, or {@code Long.MAX_VALUE} if it is larger than that. */
    public long capacity() {
        int bits = hostBits();
        return bits >= 63 ? Long.MAX_VALUE : 1L << bits;
    }

    public boolean overlaps(BlockRange other) {
        return (ipv4 != null && other.ipv4 != null && ipv4.overlaps(other.ipv4))
                || (ipv6 != null && other.ipv6 != null && ipv6.overlaps(other.ipv6));
    }

    public boolean contains(Address address) {
        return (ipv4 != null && ipv4.contains(address)) || (ipv6 != null && ipv6.contains(address));
    }

    /** The address at that offset, or the pair of them, IPv4 first. */
    public List<Address> addressesAt(long offset) {
        if (offset < 0 || offset >= capacity()) {
            throw new IndexOutOfBoundsException("no address " + offset + " in " + this);
        }
        if (ipv4 == null) {
            return ipv6 == null ? List.of() : List.of(ipv6.at(offset));
        }
        return ipv6 == null ? List.of(ipv4.at(offset)) : List.of(ipv4.at(offset), ipv6.at(offset));
    }

    /** Where in the block the address stands; empty if it is not one of the block's. */
    public OptionalLong offsetOf(Address address) {
        for (Cidr range : ranges()) {
            if (range.contains(address)) {
                BigInteger offset = range.offsetOf(address);
                return offset.bitLength() <= 63 && offset.longValue() < capacity()
                        ? OptionalLong.of(offset.longValue())
                        : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /** As people write it: {@code 10.1.0.0/27} or {@code 10.1.0.0/27 + fd00::/123}. */
    @Override
    public String toString() {
        return String.join(" + ", ranges().stream().map(Cidr::toString).toList());
    }

    private int hostBits() {
        int bits = Family.IPV6.bits();
        for (Cidr range : ranges()) {
            bits = Math.min(bits, range.hostBits());
        }
        return bits;
    }

    private static @Nullable Cidr range(@Nullable String text, Family family) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        Cidr cidr = Cidr.parse(text);
        if (cidr.family() != family) {
            throw new InvalidAddressException(
                    "\"%s\" is not of the family %s".formatted(text, family));
        }
        return cidr;
    }
}
