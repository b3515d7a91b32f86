package io.coil.core.net;

import java.math.BigInteger;

/**
 * One IP address as a number of 128 bits.
 *
 * <p>An IPv4 address stands in the lower 32 bits of {@code low}; {@code high} is 0 then. Both
 * halves are unsigned. The order is IPv4 before IPv6, then by number. The text is canonical (RFC
 * 5952), so equal addresses have equal texts.
 *
 * @param high the upper 64 bits, unsigned
 * @param low the lower 64 bits, unsigned
 */
public record Address(Family family, long high, long low) implements Comparable<Address> {
    private static final long IPV4_MAX = 0xFFFF_FFFFL;
    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    public Address {
        if (family == Family.IPV4 && (high != 0 || low < 0 || low > IPV4_MAX)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits only");
        }
    }

    /**
     * Reads an address in its usual text form. No name is ever resolved, no zone ({@code %eth0})
     * and no IPv4 number with leading zeros is accepted.
     *
     * @throws InvalidAddressException if the text is no address
     */
    public static Address parse(String text) {
        return AddressText.parse(text);
    }

    /**
     * The address that many further on.
     *
     * @param offset not negative
     * @throws ArithmeticException if that is beyond the last address of the family
     */
    public Address plus(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset is negative: " + offset);
        }
        return plusUnsigned(0, offset);
    }

    /** As {@link #plus(long)}, for offsets of any size. */
    public Address plus(BigInteger offset) {
        if (offset.signum() < 0 || offset.bitLength() > family.bits()) {
            throw new ArithmeticException(
                    "offset " + offset + " from " + this + " is out of range");
        }
        return plusUnsigned(offset.shiftRight(64).longValue(), offset.longValue());
    }

    /** How many addresses lie between an earlier one of the same family and this one. */
    public BigInteger minus(Address earlier) {
        if (family != earlier.family || compareTo(earlier) < 0) {
            throw new IllegalArgumentException(earlier + " is not before " + this);
        }
        return value().subtract(earlier.value());
    }

    /** The address as a non-negative number. */
    public BigInteger value() {
        return unsigned(high).multiply(TWO_64).add(unsigned(low));
    }

    @Override
    public int compareTo(Address other) {
        int byFamily = family.compareTo(other.family);
        if (byFamily != 0) {
            return byFamily;
        }
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return AddressText.format(this);
    }

    Address plusUnsigned(long offsetHigh, long offsetLow) {
        long sumLow = low + offsetLow;
        long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
        long sumHigh = high + offsetHigh;
        boolean overflow = Long.compareUnsigned(sumHigh, high) < 0;
        long carried = sumHigh + carry;
        overflow |= carry == 1 && carried == 0;
        if (family == Family.IPV4) {
            overflow |= carried != 0 || sumLow < 0 || sumLow > IPV4_MAX;
        }
        if (overflow) {
            throw new ArithmeticException("no address that far after " + this);
        }
        return new Address(family, carried, sumLow);
    }

    private static BigInteger unsigned(long half) {
        BigInteger value = BigInteger.valueOf(half);
        return half < 0 ? value.add(TWO_64) : value;
    }
}
