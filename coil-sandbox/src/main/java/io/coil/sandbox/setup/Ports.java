package io.coil.sandbox.setup;

import io.coil.sandbox.CannotStart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Looks before anything is started whether the ports that are wanted are free. */
public final class Ports {
    private Ports() {}

    /** {@code option} is what to choose another with; 0 is always free. */
    public static void requireFree(int port, String option) throws CannotStart {
        if (port == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new CannotStart(
                    "port %d is in use: stop what uses it, or choose another with %s"
                            .formatted(port, option));
        }
    }
}
