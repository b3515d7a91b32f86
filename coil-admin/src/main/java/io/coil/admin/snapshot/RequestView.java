package io.coil.admin.snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** A node's request for a block. */
public record RequestView(
        String name,
        String uid,
        String node,
        String pool,
        State state,
        @Nullable String block,
        @Nullable String message,
        @Nullable Instant created,
        @Nullable Instant answered) {

    /** How far it is. */
    public enum State {
        OPEN("open", Tone.GOING),
        COMPLETE("complete", Tone.OK),
        FAILED("failed", Tone.BAD);

        private final String word;
        private final Tone tone;

        State(String word, Tone tone) {
            this.word = word;
            this.tone = tone;
        }

        public String word() {
            return word;
        }

        public Tone tone() {
            return tone;
        }
    }
}
