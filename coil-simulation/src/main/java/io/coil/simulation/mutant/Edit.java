package io.coil.simulation.mutant;

import org.jspecify.annotations.Nullable;

/** What is written for an instruction. */
public sealed interface Edit {

    /** It is left out; where it has a value, this one stands in: null, Boolean, Integer, Long. */
    record Answer(@Nullable Object value) implements Edit {}

    /** Its boolean is turned round. */
    record Not() implements Edit {}

    /**
     * A hook is called instead, with the receiver, the arguments and, if it has room for one more,
     * {@code this}.
     */
    record Instead(String hook) implements Edit {}

    /** A hook sees its value, receiver, arguments and {@code this}, and says what the value is. */
    record After(String hook) implements Edit {}

    /**
     * A hook sees receiver, arguments and {@code this}, and may say true: then it is left out, and
     * null stands for its value, if it has one.
     */
    record Before(String hook) implements Edit {}
}
