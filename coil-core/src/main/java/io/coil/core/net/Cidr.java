package io.coil.core.net;

import java.math.BigInteger;
import java.util.Comparator;

/**
 * A range of addresses that share their first {@code prefix} bits. Two of them are disjoint, or one
 * holds the other. Ordered by first address, the larger range first.
 *
 * @param first the lowest address: all its host bits are 0
 * @param prefix 0 to 32 or 128
 */
public record Cidr(Address first, int prefix) implements Comparable<Cidr> {
    private static final Comparator<Cidr> ORDER =
            Comparator.comparing(Cidr::first).thenComparingInt(Cidr::prefix);

    public Cidr {
        if (prefix < 0 || prefix > first.family().bits()) {
            throw new IllegalArgumentException("prefix out of range: /" + prefix);
        }
        if (!masked(first, first.family().bits() - prefix).equals(first)) {
            throw new IllegalArgumentException(first + "/" + prefix + " has host bits set");
        }
    }

    /** The range of that prefix length which holds the address. */
    public static Cidr of(Address address, int prefix) {
        if (prefix < 0 || prefix > address.family().bits()) {
            throw new IllegalArgumentException("prefix out of range: /" + prefix);
        }
        return new Cidr(masked(address, address.family().bits() - prefix), prefix);
    }

    /**
     * Reads {@code <address>/<prefix>}; host bits that are set are cleared.
     *
     * @throws InvalidAddressException if the text is no such range
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new InvalidAddressException(
                    "\"%s\" is not a CIDR range: write it as 10.1.0.0/16 or fd00::/64"
                            .formatted(text));
        }
        Address address = Address.parse(text.substring(0, slash));
        return of(address, prefix(text, slash + 1, address.family()));
    }

    /** Whether the text, a CIDR range, names an address inside it rather than its first. */
    public static boolean hasHostBits(String text) {
        Cidr cidr = parse(text);
        return !Address.parse(text.substring(0, text.indexOf('/'))).equals(cidr.first);
    }

    public Family family() {
        return first.family();
    }

    public int hostBits() {
        return family().bits() - prefix;
    }

    public Address last() {
        int bits = hostBits();
        long highOnes = bits <= 64 ? 0 : ones(bits - 64);
        long lowOnes = ones(Math.min(bits, 64));
        return new Address(family(), first.high() | highOnes, first.low() | lowOnes);
    }

    /** The number of addresses: 1 to 2^128. */
    public BigInteger size() {
        return BigInteger.ONE.shiftLeft(hostBits());
    }

    public boolean contains(Address address) {
        return address.family() == family() && masked(address, hostBits()).equals(first);
    }

    public boolean contains(Cidr other) {
        return prefix <= other.prefix && contains(other.first);
    }

    public boolean overlaps(Cidr other) {
        return contains(other) || other.contains(this);
    }

    /** The address at that distance from the first. */
    public Address at(long offset) {
        if (offset < 0 || (hostBits() < 63 && offset >= 1L << hostBits())) {
            throw new IndexOutOfBoundsException("no address " + offset + " in " + this);
        }
        return first.plus(offset);
    }

    /** As {@link #at(long)}, for offsets of any size. */
    public Address at(BigInteger offset) {
        if (offset.signum() < 0 || offset.bitLength() > hostBits()) {
            throw new IndexOutOfBoundsException("no address " + offset + " in " + this);
        }
        return first.plus(offset);
    }

    /**
     * The range cut into parts of 2^{@code partBits} addresses: the part of that number.
     *
     * @param partBits at most {@link #hostBits()}
     */
    public Cidr part(long number, int partBits) {
        int numberBits = hostBits() - partBits;
        if (partBits < 0
                || numberBits < 0
                || number < 0
                || (numberBits < 63 && number >= 1L << numberBits)) {
            throw new IndexOutOfBoundsException(
                    "no part %d of 2^%d addresses in %s".formatted(number, partBits, this));
        }
        long high;
        if (partBits == 0) {
            high = 0;
        } else if (partBits < 64) {
            high = number >>> (64 - partBits);
        } else {
            high = partBits == 128 ? 0 : number << (partBits - 64);
        }
        long low = partBits < 64 ? number << partBits : 0;
        Address start = new Address(family(), first.high() | high, first.low() | low);
        return new Cidr(start, family().bits() - partBits);
    }

    /** The distance of an address of this range from its first. */
    public BigInteger offsetOf(Address address) {
        if (!contains(address)) {
            throw new IllegalArgumentException(address + " is not in " + this);
        }
        return address.minus(first);
    }

    @Override
    public int compareTo(Cidr other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return first + "/" + prefix;
    }

    private static int prefix(String text, int from, Family family) {
        String digits = text.substring(from);
        boolean plain =
                !digits.isEmpty()
                        && digits.length() <= 3
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                        && (digits.length() == 1 || digits.charAt(0) != '0');
        int prefix = plain ? Integer.parseInt(digits) : -1;
        if (prefix < 0 || prefix > family.bits()) {
            throw new InvalidAddressException(
                    "\"%s\" has no prefix length from 0 to %d after its /"
                            .formatted(text, family.bits()));
        }
        return prefix;
    }

    private static Address masked(Address address, int hostBits) {
        long high = hostBits <= 64 ? address.high() : address.high() & ~ones(hostBits - 64);
        long low = address.low() & ~ones(Math.min(hostBits, 64));
        return new Address(address.family(), high, low);
    }

    /** A number whose lowest bits, 0 to 64 of them, are 1. */
    private static long ones(int bits) {
        return bits == 0 ? 0 : -1L >>> (64 - bits);
    }
}
