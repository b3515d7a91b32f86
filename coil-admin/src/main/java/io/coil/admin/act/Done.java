package io.coil.admin.act;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What came of a change.
 *
 * @param message a sentence, or two
 * @param collection the run that does it; null: none is needed
 * @param warnings what the API said besides, word for word
 */
public record Done(
        State state, String message, @Nullable String collection, List<String> warnings) {

    /** How far it is. */
    public enum State {
        /** It is so now. */
        DONE,
        /** It was so before, and nothing was changed. */
        ALREADY,
        /** The API has taken it, and others are at it. */
        GOING,
        /** What it is about is not there any more, which is what was wanted. */
        GONE
    }

    static Done of(State state, String message) {
        return new Done(state, message, null, List.of());
    }

    Done with(List<String> said) {
        return new Done(state, message, collection, List.copyOf(said));
    }
}
