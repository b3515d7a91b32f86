package io.coil.core.holdings;

import io.coil.core.block.BlockAllocator;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Freed addresses of one block that may not be given again yet, the first to be free in front. In
 * the block they still count as taken.
 */
final class CoolingAddresses {
    private record Cooling(long offset, long untilNanos) {}

    private final Deque<Cooling> waiting = new ArrayDeque<>();

    void add(long offset, long untilNanos) {
        // The delay may have been longer a moment ago: whoever waits longer stands behind.
        Deque<Cooling> longer = new ArrayDeque<>(0);
        for (Cooling last = waiting.peekLast();
                last != null && last.untilNanos() - untilNanos > 0;
                last = waiting.peekLast()) {
            longer.addFirst(waiting.removeLast());
        }
        waiting.addLast(new Cooling(offset, untilNanos));
        waiting.addAll(longer);
    }

    /** Frees those whose time is over. */
    void warmUp(BlockAllocator addresses, long nowNanos) {
        for (Cooling c = waiting.peek();
                c != null && c.untilNanos() - nowNanos <= 0;
                c = waiting.peek()) {
            waiting.remove();
            addresses.free(c.offset());
        }
    }

    @Nullable Long firstUntilNanos() {
        Cooling first = waiting.peek();
        return first == null ? null : first.untilNanos();
    }

    @Nullable Long lastUntilNanos() {
        Cooling last = waiting.peekLast();
        return last == null ? null : last.untilNanos();
    }
}
