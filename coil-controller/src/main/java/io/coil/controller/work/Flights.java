package io.coil.controller.work;

import java.util.concurrent.atomic.AtomicInteger;

/** How many calls of one sort may be under way at once. Taking never waits. */
public final class Flights {
    private final AtomicInteger free;

    public Flights(int most) {
        free = new AtomicInteger(most);
    }

    /** As many as are free, up to {@code wanted}; give each back. */
    public int take(int wanted) {
        while (true) {
            int now = free.get();
            int taken = Math.min(now, wanted);
            if (taken <= 0) {
                return 0;
            }
            if (free.compareAndSet(now, now - taken)) {
                return taken;
            }
        }
    }

    public void giveBack(int taken) {
        free.addAndGet(taken);
    }
}
