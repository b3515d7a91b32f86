package io.coil.simulation.directed;

import io.coil.simulation.schedule.Actor;

import org.jspecify.annotations.Nullable;

import java.util.function.Predicate;

/** Stops one task before its next step that fits, until it is let go. */
public final class Hold {
    private final String process;
    private final Predicate<Object> fits;
    private Actor.@Nullable Nap held;
    private boolean over;

    Hold(String process, Predicate<Object> fits) {
        this.process = process;
        this.fits = fits;
    }

    /**
     * Holds the caller if it is the one that is meant; {@code step} is a call or a kernel's text.
     */
    void before(Actor actor, Object step) {
        if (over || held != null || !actor.name().equals(process) || !fits.test(step)) {
            return;
        }
        Actor.Nap nap = actor.nap();
        held = nap;
        while (!over) {
            nap.untilWoken();
        }
    }

    /** Whether a task stands there now, or stood there when its process died. */
    public boolean reached() {
        return held != null;
    }

    /** Lets it go on; nothing is held by this any more. */
    public void release() {
        over = true;
        Actor.Nap nap = held;
        if (nap != null) {
            nap.wake();
        }
    }
}
