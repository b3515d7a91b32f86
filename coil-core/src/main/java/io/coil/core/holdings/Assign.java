package io.coil.core.holdings;

import org.jspecify.annotations.Nullable;

/** What came of asking for an address. */
public sealed interface Assign {

    /** A fresh one. */
    record Assigned(Assignment assignment) implements Assign {}

    /** This interface has one already: an ADD that is repeated gets the same answer. */
    record Held(Assignment assignment) implements Assign {}

    /**
     * No block of this node has room.
     *
     * @param coolAtNanos when an address of this node may be given again after its reuse delay;
     *     null if none waits for that
     */
    record NoRoom(@Nullable Long coolAtNanos) implements Assign {}

    /** The pool gives no new address; {@code why} is a sentence. */
    record Refused(String why) implements Assign {}
}
