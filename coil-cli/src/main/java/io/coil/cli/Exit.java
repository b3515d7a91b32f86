package io.coil.cli;

/** What a script learns from how the program ended. */
enum Exit {
    DONE(0),
    /** Something was not done: not found, refused, a collection that failed or is not complete. */
    NOT_DONE(1),
    /** The command line is wrong. */
    WRONG_USE(2),
    /** Nobody answers, or who answers cannot say. */
    NOT_REACHED(3),
    /** No token, a wrong one, or one whose owner may not do that. */
    NOT_ALLOWED(4);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
