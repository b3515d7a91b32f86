package io.coil.core.pool;

import io.coil.core.net.Cidr;
import io.coil.core.net.Family;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One entry of a pool: a range of one family, or a pair of ranges of equal size that are counted
 * through together.
 */
public record Subnet(@Nullable Cidr ipv4, @Nullable Cidr ipv6) {

    public Subnet {
        if (ipv4 == null && ipv6 == null) {
            throw new IllegalArgumentException("a subnet has at least one family");
        }
        requireFamily(ipv4, Family.IPV4);
        requireFamily(ipv6, Family.IPV6);
        if (ipv4 != null && ipv6 != null && ipv4.hostBits() != ipv6.hostBits()) {
            throw new IllegalArgumentException(ipv4 + " and " + ipv6 + " differ in size");
        }
    }

    /** The ranges that are there, IPv4 first. */
    public List<Cidr> ranges() {
        if (ipv4 == null) {
            return ipv6 == null ? List.of() : List.of(ipv6);
        }
        return ipv6 == null ? List.of(ipv4) : List.of(ipv4, ipv6);
    }

    /** The size of this entry: 2^n addresses (or pairs of them). */
    public int hostBits() {
        return ranges().getFirst().hostBits();
    }

    static void requireFamily(@Nullable Cidr cidr, Family family) {
        if (cidr != null && cidr.family() != family) {
            throw new IllegalArgumentException(cidr + " is not of the family " + family);
        }
    }
}
