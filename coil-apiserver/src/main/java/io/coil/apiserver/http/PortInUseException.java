package io.coil.apiserver.http;

import java.io.IOException;

/** Another process listens on the port that was asked for. */
public final class PortInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int port;

    public PortInUseException(int port, Throwable cause) {
        super(
                "Port " + port + " is in use by another process: stop it, or choose another port.",
                cause);
        this.port = port;
    }

    public int port() {
        return port;
    }
}
