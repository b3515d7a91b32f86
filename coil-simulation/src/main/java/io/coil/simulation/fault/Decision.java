package io.coil.simulation.fault;

import java.time.Duration;

/**
 * Something that is decided before a run begins: what the world does, and what befalls single
 * calls. A run is its seed and the decisions that are kept; leaving one out is how a failing run is
 * cut down.
 */
public sealed interface Decision {

    /**
     * Something that the world does.
     *
     * @param at virtual nanoseconds
     * @param target whom or what it befalls; a deed whose target is not there does nothing
     * @param number what else there is to say, as {@link Act} explains
     */
    record Deed(long at, Act act, String target, long number) implements Decision {
        @Override
        public String toString() {
            return "at %.3f s: %s %s %d".formatted(at / 1e9, act.text(), target, number);
        }
    }

    /**
     * What happens to one call.
     *
     * @param calls of one process, whichever of its lives, that do one thing: {@code n1-agent
     *     DELETE addressblocks}
     * @param call the how manieth of those, from 1
     * @param span how late or how long
     */
    record Mishap(String calls, int call, Kind kind, Duration span) implements Decision {
        @Override
        public String toString() {
            return "%s, the %d.: %s, %s".formatted(calls, call, kind.text(), span);
        }
    }

    /** What can happen to a call. */
    enum Kind {
        /** It never reaches the server; the caller hears nothing. */
        LOST,
        /** It takes effect; the caller hears nothing. */
        REPLY_LOST,
        /** The caller hears nothing; later it takes effect all the same. */
        LATE,
        /** It takes long to arrive. */
        SLOW,
        /** Its answer takes long. */
        REPLY_SLOW,
        /** 500. */
        BROKEN,
        /** 429 with a wish when to come again. */
        BUSY,
        /** 409, where the call may meet one. */
        CONFLICT,
        /** The process dies before it takes effect. */
        DEATH,
        /** The process dies after it took effect. */
        DEATH_AFTER;

        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        }
    }
}
