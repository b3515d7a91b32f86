package io.coil.core.net;

/** The two families of IP addresses. */
public enum Family {
    IPV4(32),
    IPV6(128);

    private final int bits;

    Family(int bits) {
        this.bits = bits;
    }

    /** Bits in an address of this family: 32 or 128. */
    public int bits() {
        return bits;
    }
}
