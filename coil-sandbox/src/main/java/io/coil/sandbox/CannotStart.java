package io.coil.sandbox;

/** Why the sandbox cannot start: one sentence that says what to do. */
public final class CannotStart extends Exception {
    private static final long serialVersionUID = 1L;

    public CannotStart(String sentence) {
        super(sentence);
    }
}
