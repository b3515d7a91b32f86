package io.coil.admin.web;

import io.coil.admin.snapshot.BlockState;
import io.coil.admin.snapshot.BlockView;
import io.coil.admin.snapshot.Observed;
import io.coil.admin.snapshot.Snapshot;
import io.coil.core.net.Address;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The addresses of a block, one by one. */
public final class Cells {
    private static final BigInteger MOST = BigInteger.valueOf(BlockView.MOST_CELLS);

    private Cells() {}

    /**
     * An address.
     *
     * @param css empty for a free one; u: in use; k: in use when last heard of
     * @param label the last part of the address
     * @param pod who shows it; null if nobody does
     */
    public record Cell(
            String css, String label, String addresses, String text, Observed.@Nullable Pod pod) {

        public boolean used() {
            return !css.isEmpty();
        }
    }

    static List<Cell> of(BlockView block, Snapshot image) {
        if (block.range() == null
                || block.capacity().compareTo(MOST) > 0
                || block.capacity().signum() == 0) {
            return List.of();
        }
        boolean old = block.state() == BlockState.DEAD || block.state() == BlockState.ORPHAN;
        int size = block.capacity().intValue();
        List<Cell> cells = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            List<Address> addresses = block.addressesAt(i);
            Observed.Pod pod = image.podAt(addresses).orElse(null);
            boolean used = block.bitmap() == null ? pod != null : block.inUse(i);
            String text = String.join(", ", addresses.stream().map(Address::toString).toList());
            cells.add(
                    new Cell(
                            used ? (old ? "k" : "u") : "",
                            label(addresses.getFirst().toString()),
                            text,
                            says(used, old, pod),
                            pod));
        }
        return cells;
    }

    private static String says(boolean used, boolean old, Observed.@Nullable Pod pod) {
        if (!used) {
            return pod == null ? "free" : "free, but shown by " + pod;
        }
        return (pod == null ? "in use, no pod shows it yet" : pod.toString())
                + (old ? ", when last heard of" : "");
    }

    private static String label(String address) {
        int at = Math.max(address.lastIndexOf('.'), address.lastIndexOf(':'));
        return address.substring(at + 1);
    }
}
