package io.coil.core.pool;

import java.util.Optional;

/** The name of a block taken apart: {@code <pool>-<index>}. The index is what is unique. */
public record BlockName(String pool, int index) {

    public BlockName {
        if (pool.isEmpty() || index < 0) {
            throw new IllegalArgumentException("no block has the name " + pool + "-" + index);
        }
    }

    /** Empty if that is no name of a block: no index, one with leading zeros, or above 2^31-1. */
    public static Optional<BlockName> parse(String name) {
        int dash = name.lastIndexOf('-');
        int digits = name.length() - dash - 1;
        if (dash < 1 || digits < 1 || digits > 10 || (digits > 1 && name.charAt(dash + 1) == '0')) {
            return Optional.empty();
        }
        long index = 0;
        for (int i = dash + 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return Optional.empty();
            }
            index = index * 10 + (c - '0');
        }
        return index <= Integer.MAX_VALUE
                ? Optional.of(new BlockName(name.substring(0, dash), (int) index))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return pool + "-" + index;
    }
}
