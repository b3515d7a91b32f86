package io.coil.simulation.world;

import java.time.Duration;
import java.util.Optional;

/**
 * The end of a run: the faults are over, and after a quiet longer than every grace, and one more
 * collection, nothing may be left that nobody needs.
 */
public final class End {
    private static final Duration AFTER_COLLECTION = Duration.ofSeconds(40);
    private static final Duration LOOK = Duration.ofSeconds(20);

    /** Time for what was still on its way: back-offs, a look that just missed a grace. */
    private static final int LOOKS = 12;

    private final World world;

    public End(World world) {
        this.world = world;
    }

    public void come() {
        if (world.ground().findings().first() != null) {
            return;
        }
        world.heal();
        pass(world.ground().timing().quiet());
        world.people().collect(2);
        pass(AFTER_COLLECTION);
        Rest rest = new Rest(world);
        Optional<Rest.Flaw> flaw = rest.flaw();
        for (int look = 0; look < LOOKS && flaw.isPresent() && !found(); look++) {
            pass(LOOK);
            flaw = rest.flaw();
        }
        if (flaw.isEmpty() && !rest.anyWaits()) {
            flaw = nothingIsMade();
        }
        if (!found()) {
            flaw.ifPresent(f -> world.ground().findings().violated(f.invariant(), f.what()));
        }
    }

    /** Whoever asks, is granted, returns and asks again would go on for ever. */
    private Optional<Rest.Flaw> nothingIsMade() {
        long before = world.ground().facts().granted();
        pass(AFTER_COLLECTION);
        long made = world.ground().facts().granted() - before;
        return made == 0
                ? Optional.empty()
                : Optional.of(new Rest.Flaw(5, made + " blocks made, and nobody waits for one"));
    }

    private boolean found() {
        return world.ground().findings().first() != null;
    }

    private void pass(Duration time) {
        world.runUntil(Duration.ofNanos(world.ground().nanos()).plus(time));
    }
}
