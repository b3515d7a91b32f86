package io.coil.agent.cni;

/**
 * An answer that is an error: one of the codes of the CNI specification (1 to 99), or of Coil v2,
 * and a sentence.
 */
public final class CniFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final int INCOMPATIBLE_VERSION = 1;
    static final int UNKNOWN_CONTAINER = 3;
    static final int INVALID_ENVIRONMENT = 4;
    static final int IO_FAILURE = 5;
    static final int DECODING_FAILURE = 6;
    static final int INVALID_CONFIGURATION = 7;
    static final int TRY_AGAIN_LATER = 11;
    static final int NOT_AVAILABLE = 50;
    static final int INTERNAL = 999;

    private final String message;
    private final int code;

    public CniFailure(int code, String message) {
        super(message);
        this.message = message;
        this.code = code;
    }

    /** The runtime is to come again. */
    public static CniFailure tryAgain(String message) {
        return new CniFailure(TRY_AGAIN_LATER, message);
    }

    @Override
    public String getMessage() {
        return message;
    }

    public int code() {
        return code;
    }
}
