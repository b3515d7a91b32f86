package io.coil.admin.snapshot;

import java.math.BigInteger;

/** Blocks of something, and the addresses in them. */
public record Share(int blocks, int empty, int candidates, long used, BigInteger capacity) {
    public static final Share NONE = new Share(0, 0, 0, 0, BigInteger.ZERO);

    Share plus(BlockView block) {
        return new Share(
                blocks + 1,
                empty + (block.empty() ? 1 : 0),
                candidates + (block.state().candidate() ? 1 : 0),
                used + block.used(),
                capacity.add(block.capacity()));
    }

    /** Addresses used of those in the blocks, 0 to 100; 0 if there are none. */
    public double percent() {
        return capacity.signum() == 0 ? 0 : 100.0 * used / capacity.doubleValue();
    }
}
