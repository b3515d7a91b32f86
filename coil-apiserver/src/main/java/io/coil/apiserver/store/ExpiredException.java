package io.coil.apiserver.store;

/** A version was asked for that is older than what is remembered. */
public final class ExpiredException extends Exception {
    private static final long serialVersionUID = 1L;
    private final long oldest;

    public ExpiredException(long asked, long oldest) {
        super("too old resource version: " + asked + " (" + oldest + ")");
        this.oldest = oldest;
    }

    /** The oldest version that can still be asked for. */
    public long oldest() {
        return oldest;
    }
}
