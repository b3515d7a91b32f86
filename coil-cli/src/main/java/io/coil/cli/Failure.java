package io.coil.cli;

/** Ends a command; the message is for the person at the terminal. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    private final Exit exit;

    Failure(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    static Failure wrongUse(String message) {
        return new Failure(Exit.WRONG_USE, message);
    }

    Exit exit() {
        return exit;
    }
}
