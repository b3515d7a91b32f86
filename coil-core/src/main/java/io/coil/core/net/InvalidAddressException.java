package io.coil.core.net;

/** A text is no address or no CIDR range. The message is a sentence for the person who wrote it. */
public final class InvalidAddressException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidAddressException(String message) {
        super(message);
    }
}
